"""Renderers: a document as text and HTML, rows as CSV, data as JSON."""

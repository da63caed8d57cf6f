"""Reports of exact results: analyses, evaluations, comparisons, charts, house odds."""

"""HTTP and WebSocket: routes, sessions in cookies, and sockets that show a table to one person."""

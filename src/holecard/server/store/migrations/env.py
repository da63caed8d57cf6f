"""What alembic runs: the migrations, on the connection that the server gives it."""

from alembic import context

from holecard.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()

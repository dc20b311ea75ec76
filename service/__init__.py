"""The REST service, the command line and the running of everything on one machine."""

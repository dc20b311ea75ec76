"""The service's own hands: policies that put jobs, and jobs that take bots' turns and score."""

"""What happened: past tense, whole, with ids of the data file and numbers of seats."""

from domain.porta_nigra.events import actions, course, scoring

EVENT_TYPES = (*course.TYPES, *actions.TYPES, *scoring.TYPES)

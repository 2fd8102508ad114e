"""The Schedules page: what is asked, what the library answers, and the views."""

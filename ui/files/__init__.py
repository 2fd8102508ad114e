"""How files and tables come in: opened, arriving, read again in another way; the project as a file."""

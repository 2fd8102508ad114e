"""May it leave for this recipient, and if not, what is the least change?"""

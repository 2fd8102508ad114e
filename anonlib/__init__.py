"""Anonscope's library: how identifiable is a file of people, and what protects it. No Streamlit in here."""

"""What pages share and only Streamlit knows."""

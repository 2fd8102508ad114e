// Loaded by every page before Streamlit's own scripts. What it keeps is in the browser's memory of this tab alone.
"use strict"
;(() => {
  // Reload: each page has a secret of its own and, with the secret of the page that this tab showed before, asks for
  // that page's session. The secret is kept once the server has answered; it is sent beside Streamlit's own subprotocols.
  const KEY = "anonscope-tab"
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  const before = sessionStorage.getItem(KEY) ?? ""
  const Plain = window.WebSocket
  window.WebSocket = class WebSocket extends Plain {
    constructor(address, protocols) {
      const isStreamlits = String(address).endsWith("/_stcore/stream")
      super(address, isStreamlits ? [...protocols, `anonscope.${secret}.${before}`] : protocols)
      if (isStreamlits) this.addEventListener("open", () => sessionStorage.setItem(KEY, secret))
    }
  }

  // Closing: the browser asks where the page says that a recipe would be lost. It cannot tell closing from reloading.
  addEventListener("beforeunload", (event) => {
    if (document.querySelector(".st-key-recipe-at-stake")) event.preventDefault()
  })
})()

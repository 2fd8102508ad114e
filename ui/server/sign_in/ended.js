// Loaded by the pages of a department's server, after tab.js: when the sign-in ends, nothing of the page stays on the
// screen, and Streamlit does not go on trying to connect.
"use strict"
;(() => {
  const ENDED = 1008 // how the server closes a connection whose sign-in has ended
  const BETWEEN = 2000 // milliseconds between two questions, while the server does not answer
  const leave = () => {
    document.body.replaceChildren() // and with it what would ask whether the page may be left
    location.replace(`/anonscope/ended?page=${encodeURIComponent(location.pathname)}`)
  }
  let isOpen = false
  const leaveIfEnded = async () => {
    if (isOpen) return
    try {
      const answer = await fetch("/anonscope/is-signed-in")
      if ((await answer.text()) === "no") leave()
    } catch {
      setTimeout(leaveIfEnded, BETWEEN)
    }
  }
  const Earlier = window.WebSocket
  window.WebSocket = class WebSocket extends Earlier {
    constructor(address, protocols) {
      super(address, protocols)
      if (!String(address).endsWith("/_stcore/stream")) return
      this.addEventListener("open", () => { isOpen = true })
      this.addEventListener("close", (event) => {
        isOpen = false
        if (event.code === ENDED) leave()
        else leaveIfEnded()
      })
    }
  }
})()

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
  let wasOpen = false // this page was connected before: a server that does not know it has lost its session
  window.WebSocket = class WebSocket extends Plain {
    constructor(address, protocols) {
      const isStreamlits = String(address).endsWith("/_stcore/stream")
      super(address, isStreamlits ? [...protocols, `anonscope.${secret}.${before}${wasOpen ? ".again" : ""}`] : protocols)
      if (isStreamlits) {
        this.addEventListener("open", () => {
          if (wasOpen) sayIfGone()
          wasOpen = true
          sessionStorage.setItem(KEY, secret)
        })
      }
    }
  }

  // Started again, or cut off for long: Streamlit connects again and leaves what is on the page as it is.
  const GONE =
    "The session of this page is gone: Anonscope was started again, or the page was cut off from it for more than two " +
    "minutes. What is shown here is in its memory no more. Reload the page, and open the file again."
  const sayIfGone = async () => {
    const answer = await fetch("/anonscope/tab", { headers: { "X-Anonscope-Tab": secret } })
    if ((await answer.text()) === "gone") say(GONE)
  }

  // Closing: the browser asks where the page says that a recipe would be lost. It cannot tell closing from reloading.
  addEventListener("beforeunload", (event) => {
    if (document.querySelector(".st-key-recipe-at-stake")) event.preventDefault()
  })

  // Giving a file: the page may change while the browser's own window for it is open, and then the control is gone that
  // asked for it, and hears nothing. The control of the same name gets the file, where one comes soon; else the page names it.
  const SOON = 3000 // milliseconds
  const CONTROL = "[data-testid='stFileUploader']"
  const INPUT = "input[type='file']"
  const nameOf = (control) => control?.querySelector("label")?.textContent
  const say = (text) => {
    const alert = document.createElement("div")
    alert.setAttribute("role", "alert")
    alert.textContent = text
    Object.assign(alert.style, {
      position: "fixed", top: "4rem", left: "50%", transform: "translateX(-50%)", zIndex: 1e6, padding: "1rem",
      background: "#fff", color: "#7d1f1f", border: "1px solid #7d1f1f", borderRadius: "0.5rem", font: "16px sans-serif",
      cursor: "pointer",
    })
    alert.addEventListener("click", () => alert.remove())
    document.body.append(alert)
  }
  const passOn = (given, name, until) => {
    const control = [...document.querySelectorAll(CONTROL)].find((each) => name && nameOf(each) === name)
    const input = control?.querySelector(INPUT)
    if (input) {
      input.files = given
      input.dispatchEvent(new Event("change", { bubbles: true }))
    } else if (performance.now() < until) {
      setTimeout(passOn, 100, given, name, until)
    } else {
      const names = Array.from(given, (file) => file.name).join(", ")
      say(`The page was changing while ${names} was given to it, and it was not taken. Give it again.`)
    }
  }
  const listen = (input) => {
    const name = nameOf(input.closest(CONTROL))
    input.addEventListener("change", () => {
      if (!input.isConnected && input.files.length) passOn(input.files, name, performance.now() + SOON)
    })
  }

  // Stopping: where the server does not answer, Streamlit asks about the internet, which nothing here needs, or for a
  // command that is not ours.
  const NOT_OURS = /Streamlit server is not responding|Is Streamlit still running/
  const SILENT =
    "Anonscope does not answer: it was stopped, or this computer was asleep. The page connects again by itself. What " +
    "was loaded is in the memory of Anonscope alone: once it is started again, open the file again."
  const sayWhoIsSilent = (dialog) => {
    const body = dialog.querySelector("h2")?.nextElementSibling
    if (!body || body.hidden || !NOT_OURS.test(dialog.textContent)) return
    body.hidden = true
    body.style.display = "none"
    const own = document.createElement("div")
    own.textContent = SILENT
    own.style.padding = "1.5rem"
    body.after(own)
  }
  new MutationObserver((changes) => {
    let isAdded = false // of thousands of changes, as of a picture: the page is looked through once
    for (const { removedNodes, addedNodes } of changes) {
      for (const node of removedNodes) if (node instanceof HTMLElement) node.querySelectorAll(INPUT).forEach(listen)
      isAdded ||= addedNodes.length > 0
    }
    if (isAdded) document.querySelectorAll("[role='dialog']").forEach(sayWhoIsSilent)
  }).observe(document, { childList: true, subtree: true })
})()

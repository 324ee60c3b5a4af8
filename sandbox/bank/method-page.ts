import { encodeMessage } from '../three-ds/field-reader.ts'
import type { Origins } from '../http/hosts.ts'
import { hiddenFields, html, page } from '../http/html.ts'
import type { Reply } from '../http/router.ts'

/** When the bank's 3DS method posts back. */
export type MethodEnd = { ends: 'after'; waitMs: number } | { ends: 'never' }

const script = `
  const form = document.querySelector('form')
  setTimeout(() => form.submit(), Number(form.dataset.waitMs))
`

/** The bank's 3DS method, in a hidden frame of the collect page: it takes its look at the browser and posts back. */
export const methodPage = (notificationUrl: string, serverTransId: string, end: MethodEnd, origins: Origins): Reply =>
  page({
    lang: 'en',
    title: '3DS method',
    body: html`<main>
      <form method="post" action="${notificationUrl}" data-wait-ms="${end.ends === 'after' ? end.waitMs : ''}">
        ${hiddenFields({ threeDSMethodData: encodeMessage({ threeDSServerTransID: serverTransId }) })}
      </form>
    </main>`,
    script: end.ends === 'after' ? script : '',
    reach: {
      formAction: [origins.threeDS],
      frameSrc: [],
      frameAncestors: [origins.threeDS, origins.checkouts],
    },
  })

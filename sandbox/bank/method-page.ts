/** 3DS method page of the bank, in a hidden frame of the collect page: posts back when the method has ended. */
import type { Origins } from '../http/hosts.ts'
import { hiddenFields, html, htmlPage, SUBMIT_AFTER_WAIT_SCRIPT } from '../http/html.ts'
import type { Reply } from '../http/router.ts'
import { encodeMessage } from '../three-ds/form-message.ts'

/** When the bank's 3DS method posts back. */
export type MethodCompletion = { readonly ends: 'after'; readonly waitMs: number } | { readonly ends: 'never' }

export const methodPage = (
  notificationUrl: string,
  serverTransId: string,
  completion: MethodCompletion,
  origins: Origins,
): Reply =>
  htmlPage({
    lang: 'en',
    title: '3DS method',
    body: html`<main>
      <form
        method="post"
        action="${notificationUrl}"
        data-wait-ms="${completion.ends === 'after' ? completion.waitMs : ''}"
      >
        ${hiddenFields({ threeDSMethodData: encodeMessage({ threeDSServerTransID: serverTransId }) })}
      </form>
    </main>`,
    script: completion.ends === 'after' ? SUBMIT_AFTER_WAIT_SCRIPT : '',
    csp: {
      formAction: [origins.threeDS],
      frameSrc: [],
      frameAncestors: [origins.threeDS, origins.checkouts],
    },
  })

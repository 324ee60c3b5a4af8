/** Input method: types as a Japanese keyboard does. */
import type { CDPSession, Page } from '@playwright/test'

export const inputMethodOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

/** Composes a text in the field that has the focus: it grows underlined in the field, then is committed whole. */
export const compose = async (inputMethod: CDPSession, text: string): Promise<void> => {
  for (const end of [1, Math.ceil(text.length / 2), text.length]) {
    const part = text.slice(0, end)
    await inputMethod.send('Input.imeSetComposition', { text: part, selectionStart: end, selectionEnd: end })
  }
  await inputMethod.send('Input.insertText', { text })
}

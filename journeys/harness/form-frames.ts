/** Form frames: what each drawn frame of the card page showed. */
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    reportFormFrame(frame: FormFrame): void
  }
}

/** What one drawn frame of the card page showed. */
export interface FormFrame {
  /** The pay call had been sent by then. */
  readonly isPaySent: boolean
  readonly shows: 'form' | 'confirming panel' | 'another screen'
  /** Of a form: whether a field can be typed into, and whether the card number is gone. */
  readonly isEditable: boolean
  readonly isEmptied: boolean
  readonly isBusy: boolean
  readonly hasConsent: boolean
  /** The page says that nothing was charged, or that the payment failed. */
  readonly saysSo: boolean
}

/** Runs in the page: looks at every frame that is drawn, and reports those that differ from the one before. */
const recordInPage = (): void => {
  if (window !== window.top) return
  let isPaySent = false
  let last = ''
  const send = window.fetch
  window.fetch = (input, init) => {
    if (typeof input === 'string' && input.endsWith('/pay')) isPaySent = true
    return send(input, init)
  }
  const look = (): void => {
    const shown = (selector: string): HTMLElement[] =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.offsetParent !== null)
    const fields = shown('form input').filter((field) => field instanceof HTMLInputElement)
    const isPanel = shown('h2').some((heading) => heading.textContent === 'We are confirming your payment')
    const frame: FormFrame = {
      isPaySent,
      shows: isPanel ? 'confirming panel' : fields.length > 0 ? 'form' : 'another screen',
      isEditable: fields.some((field) => !field.readOnly),
      isEmptied: fields.some((field) => field.autocomplete === 'cc-number' && field.value === ''),
      isBusy: shown('form button[type="submit"][aria-busy="true"]').length > 0,
      hasConsent: shown('section').some((section) => section.innerText.includes('By paying, you agree')),
      saysSo:
        document.querySelector('dialog[open]') !== null ||
        shown('[role="status"]').some((status) => status.innerText.includes('Nothing was charged.')),
    }
    const text = JSON.stringify(frame)
    if (text !== last) window.reportFormFrame(frame)
    last = text
    window.requestAnimationFrame(look)
  }
  window.requestAnimationFrame(look)
}

/** Form frames: a record of what the card page showed, frame by frame, in a browser whose processor is six times slower. */
export const recordFormFrames = async (page: Page): Promise<readonly FormFrame[]> => {
  const frames: FormFrame[] = []
  await page.exposeFunction('reportFormFrame', (frame: FormFrame) => frames.push(frame))
  await page.addInitScript(recordInPage)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  return frames
}

/** Frames after the pay call that would make a shopper pay once more. */
export const framesThatInvitePayment = (frames: readonly FormFrame[]): FormFrame[] =>
  frames.filter(
    ({ isPaySent, shows, isEditable, isEmptied, isBusy, saysSo }) =>
      isPaySent && shows === 'form' && !saysSo && (isEditable || isEmptied || !isBusy),
  )

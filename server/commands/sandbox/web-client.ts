/** Web client of `sandbox pay`: pages as texts. */
import { sendAsBrowser, type WebRequest } from '../send-as-browser.ts'

export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Rejects where there is no answer. */
export type SendRequest = (request: WebRequest) => Promise<WebAnswer>

/** A payment may wait for the acquirer as long as GATEWAY_TIMEOUT_MS allows. */
const LIMITS = { timeoutMs: 130_000, bytesMax: 1024 * 1024 }

export const sendByHttp: SendRequest = async (request) => {
  const { status, headers, body } = await sendAsBrowser(request, LIMITS)
  return { status, headers, text: body.toString('utf8') }
}

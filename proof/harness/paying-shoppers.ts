/** Paying shoppers: pay one checkout after another over HTTP until a time is up, and time every pay call. */
import { isPaid, shopClient } from './shop-client.ts'

export interface PaymentTimes {
  readonly payMs: readonly number[]
  /** From the creation of a checkout to the answer that it is paid. */
  readonly wholeMs: readonly number[]
  /** Payments that did not end paid, as what they answered. */
  readonly failures: readonly string[]
}

/** Pays until the time is up. Every checkout must end paid: nothing of a payment is shed. */
export const payUntil = async (
  port: number,
  key: string,
  untilMs: number,
  payers: number,
  callTimeoutMs?: number,
): Promise<PaymentTimes> => {
  const payMs: number[] = []
  const wholeMs: number[] = []
  const failures: string[] = []
  const shop = shopClient(port, key, 'demo', callTimeoutMs)
  const payOne = async (): Promise<void> => {
    const began = performance.now()
    const end = await shop.payWhole(await shop.create())
    if (end.call === 'pay') payMs.push(end.ms)
    if (isPaid(end)) wholeMs.push(performance.now() - began)
    if (!isPaid(end)) failures.push(`${end.call} ${end.answer.status}: ${end.answer.text.slice(0, 200)}`)
  }
  const payRepeatedly = async (): Promise<void> => {
    while (performance.now() < untilMs) await payOne().catch((error: unknown) => failures.push(String(error)))
  }
  await Promise.all(Array.from({ length: payers }, payRepeatedly))
  return { payMs, wholeMs, failures }
}

/** Local card hold: the address of a Valkey or Redis on this machine, as CARD_HOLD_URL names it. */
import { readCardHoldAddress, type CardHoldAddress } from '../../server/config/card-hold-address.ts'

export const localCardHold = (port: number): CardHoldAddress => {
  const address = readCardHoldAddress(`redis://127.0.0.1:${port}`)
  if ('problem' in address) throw new Error(address.problem)
  return address
}

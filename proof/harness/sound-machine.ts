import type { Parts } from '../../server/parts.ts'

/** Sound machine: its disk has room and its clock is confirmed. */
export const SOUND_MACHINE: Pick<Parts, 'writeProbe' | 'clockCheck'> = {
  writeProbe: { takesWrites: async () => true, refuseWhileFull: () => undefined },
  clockCheck: { isConfirmed: () => true, differenceMs: () => 0 },
}

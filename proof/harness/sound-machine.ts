import type { Dependencies } from '../../server/dependencies.ts'

/** Sound machine: its disk has room and its clock is confirmed. */
export const SOUND_MACHINE: Pick<Dependencies, 'writeProbe' | 'clockCheck'> = {
  writeProbe: { takesWrites: async () => true, refuseWhileFull: () => undefined },
  clockCheck: { isConfirmed: () => true, differenceMs: () => 0 },
}

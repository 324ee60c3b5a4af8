/** Healthy disk and clock: the disk has room for writes, and a second clock confirms the time. */
import type { Dependencies } from '../../server/dependencies.ts'

export const HEALTHY_DISK_AND_CLOCK: Pick<Dependencies, 'writeProbe' | 'clockCheck'> = {
  writeProbe: { takesWrites: async () => true, refuseWhileFull: () => undefined },
  clockCheck: { isConfirmed: () => true, differenceMs: () => 0 },
}

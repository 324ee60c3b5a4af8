/** Inbox check: whether what acquirers tell is handled, and whether anything that cannot be read waits for an operator. */
import type { Instant } from '#contract/jst.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import type { InboxCounts } from '../../store/merchant/set-aside.ts'
import { minuteText } from '../table.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

/** Workers look each second. */
export const UNHANDLED_FAIL_MS = 60_000

export const judgeInbox = ({ setAside, oldestSetAside, oldestUnhandled }: InboxCounts, now: Instant): Finding => {
  if (oldestUnhandled !== null && now - oldestUnhandled > UNHANDLED_FAIL_MS)
    return fail(
      `notifications of acquirers wait since ${minuteText(oldestUnhandled)}`,
      'see that a server or a worker of this release runs on this database, and what its log says.',
    )
  if (setAside === 0) return ok('every notification is handled, and nothing is set aside')
  return warn(
    `${setAside} that cannot be read ${setAside === 1 ? 'is' : 'are'} set aside, the oldest since ${minuteText(oldestSetAside) ?? 'long ago'}`,
    `look at ${setAside === 1 ? 'it' : 'them'}, and have ${setAside === 1 ? 'it' : 'them'} tried again or drop ${setAside === 1 ? 'it' : 'them'}: ${COMMAND_NAMES.program} set-aside list.`,
  )
}

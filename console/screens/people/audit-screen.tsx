/** Audit screen: what people have changed at the shop, the newest first. */
import { Link } from 'wouter'
import { listAudit, type AuditAction } from '#contract/console/audit.ts'
import { listPeople } from '#contract/console/people.ts'
import { useShop } from '../../session/session.tsx'
import { useRead, useReadPages } from '../../session/use-calls.ts'
import { shopAddress } from '../../shell/addresses.ts'
import { useWords } from '../../words/language.tsx'
import { AuditList } from './audit-list.tsx'
import { PeopleFrame } from './people-frame.tsx'
import { peopleWords } from './words.ts'

/** What these are about is a checkout, by its id. */
const OF_CHECKOUTS: readonly AuditAction[] = ['checkout_created', 'checkout_cancelled', 'receipt_sent', 'refund_made']
/** As lists of events show it. */
const SHORT_ID = 8

export const AuditScreen = () => {
  const { label } = useShop()
  const words = useWords(peopleWords)
  const lines = useReadPages(['audit'], (api, shop, after, signal) =>
    api.send(listAudit, { query: after === undefined ? {} : { after } }, shop, signal),
  )
  const people = useRead(listPeople)
  // A name can be changed, an address cannot. Whoever is no longer at the shop has the id alone.
  const addressOf = (personId: string): string =>
    people.data?.people.find(({ id }) => id === personId)?.email ?? (people.isPending ? '' : personId)
  return (
    <PeopleFrame>
      <AuditList
        lead={words.auditLead}
        lines={lines}
        addressOf={addressOf}
        subjectOf={({ action, mode, subject }) =>
          mode !== undefined && OF_CHECKOUTS.includes(action) ? (
            <Link href={`~${shopAddress(label, mode)}/checkouts/${subject}`}>{subject.slice(0, SHORT_ID)}</Link>
          ) : (
            subject
          )
        }
        hasModes
      />
    </PeopleFrame>
  )
}

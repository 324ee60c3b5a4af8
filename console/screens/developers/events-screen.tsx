/** Events screen: what has happened at the shop, the newest first, each sent again to its webhooks from here. */
import { Link } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { listEvents, redeliverEvent, type EventAnswer } from '#contract/merchant/events.ts'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useAction, useReadPages, useSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { DevelopersFrame } from './developers-frame.tsx'
import { developerWords } from './words.ts'
import { webhookWords } from './webhook-words.ts'
import styles from './developers.module.css'

export const EventsScreen = () => {
  const [words, { sendAgain, sentAgain }] = [useWords(developerWords), useWords(webhookWords)]
  const { time } = useFormats()
  const [send, toast] = [useSend(), useToast()]
  const events = useReadPages(['events'], (api, shop, after, signal) =>
    api.send(listEvents, { query: after === undefined ? {} : { after } }, shop, signal),
  )
  const sending = useAction(
    (eventId: string) => send(redeliverEvent, { params: { eventId } }),
    ({ deliveries }) => toast(sentAgain(deliveries)),
  )
  const columns: readonly DataColumn<EventAnswer>[] = [
    { id: 'type', name: words.eventType, cell: ({ type }) => <code>{type}</code> },
    { id: 'time', name: words.eventTime, isShort: true, cell: ({ timestamp }) => time(timestamp) },
    {
      id: 'checkout',
      name: words.eventCheckout,
      cell: ({ data: { checkout } }) =>
        checkout === undefined ? null : (
          <Link href={`/checkouts/${checkout.id}`} className={styles['id'] ?? ''}>
            {checkout.reference ?? checkout.id.slice(0, 8)}
          </Link>
        ),
    },
    {
      id: 'again',
      name: words.eventAction,
      cell: ({ id }) => (
        <Button
          kind="secondary"
          type="button"
          onClick={() => sending.run(id)}
          busy={sending.runningWith?.[0] === id}
          disabled={sending.isRunning}
        >
          {sendAgain}
        </Button>
      ),
    },
  ]
  return (
    <DevelopersFrame>
      <Explanation>{words.eventsLead}</Explanation>
      <FailureNotice failure={sending.failure} />
      <Card isFlush>
        <Reading of={events}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items)
            return items.length === 0 ? (
              <Empty icon="checkouts" title={words.noEvents}>
                {words.noEventsText}
              </Empty>
            ) : (
              <DataTable label={words.events} columns={columns} items={items} idOf={({ id }) => id} />
            )
          }}
        </Reading>
        <MoreButton of={events} />
      </Card>
    </DevelopersFrame>
  )
}

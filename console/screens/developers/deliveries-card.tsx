/** Card of deliveries: everything that was sent to a webhook, each with all its tries, and sent again from here. */
import { Button } from '../../forms/button.tsx'
import { redeliverEvent } from '#contract/merchant/events.ts'
import { listDeliveries, type DeliveryAnswer } from '#contract/merchant/webhooks.ts'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useAction, useReadPages, useSend } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { deliveriesAgain } from './deliveries-again.ts'
import { webhookWords } from './webhook-words.ts'
import styles from './developers.module.css'

const KINDS = { pending: 'plain', delivered: 'good', failed: 'bad', dropped: 'warning' } as const

const Try = ({ of }: { readonly of: DeliveryAnswer['tries'][number] }) => {
  const words = useWords(webhookWords)
  const { time } = useFormats()
  return (
    <div className={styles['try']}>
      <span className={styles['soft']}>{time(of.at)}</span>
      <span>
        {of.status === undefined
          ? words.notAnswered(of.problem ?? '', of.tookMs)
          : words.answered(of.status, of.tookMs)}
      </span>
      {of.answer === '' ? null : <pre className={styles['answer']}>{of.answer}</pre>}
    </div>
  )
}

interface DeliveryProps {
  readonly of: DeliveryAnswer
  readonly isSending: boolean
  readonly isAnotherSent: boolean
  onSendAgain(): void
}

const Delivery = ({ of, isSending, isAnotherSent, onSendAgain }: DeliveryProps) => {
  const words = useWords(webhookWords)
  const { time } = useFormats()
  // A ping is in no list of events: another one is sent instead.
  const canBeSentAgain = of.type !== 'webhook.ping'
  return (
    <Item
      title={<code>{of.type}</code>}
      badge={<Badge kind={KINDS[of.status]}>{words.deliveryStates[of.status]}</Badge>}
      details={[
        time(of.createdAt),
        ...(of.nextTryAt === undefined ? [] : [words.nextTry(time(of.nextTryAt))]),
        of.eventId,
      ]}
      actions={
        canBeSentAgain ? (
          <Button kind="secondary" type="button" onClick={onSendAgain} busy={isSending} disabled={isAnotherSent}>
            {words.sendAgain}
          </Button>
        ) : undefined
      }
    >
      {of.tries.length === 0 ? undefined : (
        <details className={styles['tries']}>
          <summary>{words.tries(of.tries.length)}</summary>
          {of.tries.map((each) => (
            <Try key={each.at} of={each} />
          ))}
        </details>
      )}
    </Item>
  )
}

export const DeliveriesCard = ({ webhookId }: { readonly webhookId: string }) => {
  const words = useWords(webhookWords)
  const [send, toast] = [useSend(), useToast()]
  const deliveries = useReadPages(
    ['deliveries', webhookId],
    (api, shop, after, signal) =>
      api.send(listDeliveries, { params: { webhookId }, query: after === undefined ? {} : { after } }, shop, signal),
    (items) => deliveriesAgain(items, Date.now()),
  )
  const sending = useAction(
    (eventId: string) => send(redeliverEvent, { params: { eventId }, query: { webhookId } }),
    async ({ deliveries: count }) => {
      toast(words.sentAgain(count))
      await deliveries.refetch()
    },
  )
  return (
    <Card title={words.deliveries}>
      <FailureNotice failure={sending.failure} />
      <Reading of={deliveries}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items)
          return items.length === 0 ? (
            <Empty icon="mail" title={words.noDeliveries}>
              {words.noDeliveriesText}
            </Empty>
          ) : (
            <ItemList>
              {items.map((delivery) => (
                <Delivery
                  key={delivery.eventId}
                  of={delivery}
                  isSending={sending.runningWith?.[0] === delivery.eventId}
                  isAnotherSent={sending.isRunning}
                  onSendAgain={() => sending.run(delivery.eventId)}
                />
              ))}
            </ItemList>
          )
        }}
      </Reading>
      <MoreButton of={deliveries} />
    </Card>
  )
}

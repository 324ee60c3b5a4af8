/** Outbox screen: webhook deliveries and mails that wait or have failed, each tried again from here. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { listOutbox, retryOutbox, type OutboxItemAnswer } from '#contract/console/operator.ts'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { MoreButton } from '../../forms/more-button.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { useAction, usePersonReadPages, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { OperatorFrame } from './operator-frame.tsx'
import { joinPages, keyOf } from './outbox-pages.ts'
import { SetAsideCard } from './set-aside-card.tsx'
import { operatorWords } from './words.ts'

const SHOWN = ['all', 'waiting', 'failed'] as const
type Shown = (typeof SHOWN)[number]

interface OutboxItemProps {
  readonly of: OutboxItemAnswer
  readonly isSending: boolean
  readonly isAnotherSent: boolean
  onRetry(): void
}

const OutboxItem = ({ of, isSending, isAnotherSent, onRetry }: OutboxItemProps) => {
  const words = useWords(operatorWords)
  const { time } = useFormats()
  const waits = of.nextTryAt !== undefined
  return (
    <Item
      title={`${words.outboxKinds[of.kind]}: ${of.type ?? words.deletedEvent}`}
      badge={<Badge kind={waits ? 'plain' : 'bad'}>{waits ? words.states.waiting : words.states.failed}</Badge>}
      details={[
        `${words.shop}: ${of.shop}`,
        words.sinceTime(time(of.since)),
        words.tries(of.tries),
        ...(of.lastAnswer === undefined ? [] : [words.lastAnswer(of.lastAnswer)]),
        of.nextTryAt === undefined ? words.noNextTry : words.nextTry(time(of.nextTryAt)),
        of.id,
      ]}
      actions={
        of.type === undefined ? null : (
          <Button kind="secondary" type="button" onClick={onRetry} busy={isSending} disabled={isAnotherSent}>
            {words.tryAgain}
          </Button>
        )
      }
    />
  )
}

const bodyOf = ({ kind, id, webhookId }: OutboxItemAnswer) =>
  kind === 'mail' ? { mailId: id } : { eventId: id, ...(webhookId === undefined ? {} : { webhookId }) }

export const OutboxScreen = () => {
  const words = useWords(operatorWords)
  const [send, toast] = [usePersonSend(), useToast()]
  const [shown, setShown] = useState<Shown>('all')
  const outbox = usePersonReadPages(['outbox', shown], (api, after, signal) => {
    const query = { ...(shown === 'all' ? {} : { state: shown }), ...(after === undefined ? {} : { after }) }
    return api.send(listOutbox, { query }, undefined, signal)
  })
  const retrying = useAction(
    (item: OutboxItemAnswer) => send(retryOutbox, { body: bodyOf(item) }),
    async () => {
      toast(words.triedAgain)
      await outbox.refetch()
    },
  )
  const [sent = null] = retrying.runningWith ?? []
  return (
    <OperatorFrame>
      <SetAsideCard />
      <Explanation>{words.outboxLead}</Explanation>
      <SelectField<Shown>
        label={words.show}
        value={shown}
        onChange={setShown}
        choices={SHOWN.map((value) => ({ value, label: words.states[value] }))}
      />
      <FailureNotice failure={retrying.failure} />
      <Reading of={outbox}>
        {({ pages }) => {
          const items = joinPages(pages)
          return (
            <Card>
              {items.length === 0 ? (
                <Empty icon="mail" title={words.noOutbox}>
                  {words.noOutboxText}
                </Empty>
              ) : (
                <ItemList>
                  {items.map((item) => (
                    <OutboxItem
                      key={keyOf(item)}
                      of={item}
                      isSending={sent !== null && keyOf(sent) === keyOf(item)}
                      isAnotherSent={retrying.isRunning}
                      onRetry={() => retrying.run(item)}
                    />
                  ))}
                </ItemList>
              )}
              <MoreButton of={outbox} />
            </Card>
          )
        }}
      </Reading>
    </OperatorFrame>
  )
}

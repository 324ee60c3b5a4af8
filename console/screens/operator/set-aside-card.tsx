/** Set-aside card: what cannot be read, to be looked at, tried again or dropped. Nothing is drawn where there is none. */
import { useState } from 'react'
import {
  decideSetAside,
  listSetAside,
  type SetAsideAnswer,
  type SetAsideDecision,
  type SetAsideOutcome,
} from '#contract/console/operator.ts'
import { Button } from '../../forms/button.tsx'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Item, ItemList } from '../../forms/item-list.tsx'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { useAction, usePersonRead, usePersonSend } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { operatorWords } from './words.ts'
import styles from './operator.module.css'

const keyOf = ({ shop = '', queue, id }: SetAsideAnswer): string => `${shop} ${queue} ${id}`

const bodyOf = ({ shop, queue, id }: SetAsideAnswer, decision: SetAsideDecision) => ({
  ...(shop === undefined ? {} : { shop }),
  queue,
  id,
  decision,
})

export const SetAsideCard = () => {
  const words = useWords(operatorWords)
  const { time } = useFormats()
  const [send, toast] = [usePersonSend(), useToast()]
  const listed = usePersonRead(listSetAside)
  const [shown, setShown] = useState<Readonly<Record<string, string>>>({})
  const [dropped, setDropped] = useState<SetAsideAnswer | null>(null)
  const decide = (item: SetAsideAnswer, decision: SetAsideDecision) =>
    send(decideSetAside, { body: bodyOf(item, decision) })
  const tell = async (outcome: SetAsideOutcome): Promise<void> => {
    toast(words.outcomes[outcome])
    await listed.refetch()
  }
  const retrying = useAction(
    (item: SetAsideAnswer) => decide(item, 'retry'),
    ({ outcome }) => tell(outcome),
  )
  const looking = useAction(
    async (item: SetAsideAnswer) => {
      const result = await decide(item, 'look')
      if (result.ok) setShown((before) => ({ ...before, [keyOf(item)]: result.value.said ?? words.nothingMore }))
      return result
    },
    () => undefined,
  )
  const isRunning = retrying.isRunning || looking.isRunning
  if (listed.data === undefined || listed.data.items.length === 0) return null
  return (
    <Card title={words.setAside}>
      <p>{words.setAsideLead}</p>
      {listed.data.isMore ? (
        <Notice kind="info">
          <p>{words.moreSetAside(listed.data.items.length)}</p>
        </Notice>
      ) : null}
      <FailureNotice failure={retrying.failure ?? looking.failure} />
      <ItemList>
        {listed.data.items.map((item) => (
          <Item
            key={keyOf(item)}
            title={item.queue}
            details={[
              ...(item.shop === undefined ? [] : [`${words.shop}: ${item.shop}`]),
              words.sinceTime(time(item.at)),
              item.why,
              item.id,
            ]}
            actions={
              <>
                <Button kind="secondary" type="button" onClick={() => looking.run(item)} disabled={isRunning}>
                  {words.look}
                </Button>
                <Button kind="secondary" type="button" onClick={() => retrying.run(item)} disabled={isRunning}>
                  {words.retry}
                </Button>
                <Button kind="secondary" type="button" onClick={() => setDropped(item)} disabled={isRunning}>
                  {words.drop}
                </Button>
              </>
            }
          >
            {shown[keyOf(item)] === undefined ? undefined : <code className={styles['id']}>{shown[keyOf(item)]}</code>}
          </Item>
        ))}
      </ItemList>
      {dropped === null ? null : (
        <ConfirmDialog
          title={words.dropTitle}
          text={words.dropText}
          action={words.drop}
          act={() => decide(dropped, 'drop')}
          onDone={async ({ outcome }) => {
            setDropped(null)
            await tell(outcome)
          }}
          onClose={() => setDropped(null)}
        />
      )}
    </Card>
  )
}

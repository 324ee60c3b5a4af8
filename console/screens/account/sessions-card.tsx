/** Card of the person's sessions: where they have signed in, and how to end it there. */
import { Button } from '../../forms/button.tsx'
import { endOtherSession, listSessions } from '#contract/console/person.ts'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useAction, usePersonRead, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { accountWords } from './words.ts'

export const SessionsCard = () => {
  const words = useWords(accountWords)
  const { time } = useFormats()
  const [send, toast] = [usePersonSend(), useToast()]
  const sessions = usePersonRead(listSessions)
  const end = useAction(
    (sessionId: string) => send(endOtherSession, { params: { sessionId } }),
    async () => {
      await sessions.refetch()
      toast(words.ended)
    },
  )
  return (
    <Card title={words.sessions}>
      <Explanation>{words.sessionsLead}</Explanation>
      <FailureNotice failure={end.failure} />
      <Reading of={sessions}>
        {({ items }) => (
          <ItemList>
            {items.map(({ id, browser, createdAt, lastUsedAt, isThis }) => (
              <Item
                key={id}
                title={browser}
                badge={isThis ? <Badge kind="plain">{words.thisSession}</Badge> : null}
                details={[`${words.since}: ${time(createdAt)}`, `${words.lastUsed}: ${time(lastUsedAt)}`]}
                actions={
                  isThis ? undefined : (
                    <Button
                      kind="secondary"
                      type="button"
                      onClick={() => end.run(id)}
                      busy={end.runningWith?.[0] === id}
                      disabled={end.isRunning}
                    >
                      {words.end}
                    </Button>
                  )
                }
              />
            ))}
          </ItemList>
        )}
      </Reading>
    </Card>
  )
}

/** New link screen: a form for a checkout or a reusable link beside a preview of the real page, then ways to share what was made. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearch } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { createCheckout } from '#contract/merchant/checkouts.ts'
import { createReusableLink } from '#contract/merchant/reusable-links.ts'
import { Form } from '../../forms/form.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Card, Screen } from '../../shell/screen.tsx'
import { useWords } from '../../words/language.tsx'
import { checkoutBody, EMPTY_DRAFT, problemsOf, refusedField, reusableLinkBody, type LinkDraft } from './draft.ts'
import { LinkFields } from './link-fields.tsx'
import { LinkPreview } from './link-preview.tsx'
import { MadeLink, type Made } from './made-link.tsx'
import styles from './new-link.module.css'
import { newLinkWords } from './words.ts'

/** The same request, sent again after an answer was lost, makes one link; another body is another request. */
const useIdempotencyKey = (): ((draft: LinkDraft) => string) => {
  const sent = useRef<{ readonly key: string; readonly text: string } | null>(null)
  return (draft) => {
    const text = JSON.stringify([draft.kind, draft.kind === 'once' ? checkoutBody(draft) : reusableLinkBody(draft)])
    if (sent.current?.text !== text) sent.current = { key: crypto.randomUUID(), text }
    return sent.current.key
  }
}

const useCreate = (onMade: (made: Made) => void) => {
  const [send, queries, keyOf] = [useSend(), useQueryClient(), useIdempotencyKey()]
  return useAction(
    async (draft: LinkDraft) => {
      const headers = { 'idempotency-key': keyOf(draft) }
      const result =
        draft.kind === 'once'
          ? await send(createCheckout, { body: checkoutBody(draft), headers })
          : await send(createReusableLink, { body: reusableLinkBody(draft), headers })
      if (!result.ok) return result
      const { id, url, subject = null, amount = null } = result.value
      return { ...result, value: { kind: draft.kind, id, url, subject, amount } }
    },
    async (made) => {
      onMade(made)
      // Lists that were read before lack it.
      await queries.invalidateQueries({ refetchType: 'none' })
    },
  )
}

const NewLinkForm = ({ onMade }: { onMade(made: Made): void }) => {
  const words = useWords(newLinkWords)
  const search = useSearch()
  const [draft, setDraft] = useState<LinkDraft>(() => ({
    ...EMPTY_DRAFT,
    kind: new URLSearchParams(search).get('kind') === 'reusable' ? 'reusable' : 'once',
  }))
  const [now] = useState(() => Date.now())
  const [wasSent, setWasSent] = useState(false)
  const creating = useCreate(onMade)
  const isRefusedField = creating.failure?.code === 'invalid_field'
  const refused = isRefusedField ? refusedField(creating.failure?.params['field']) : {}
  const problems = wasSent ? { ...refused, ...problemsOf(draft) } : {}
  const change = (changed: Partial<LinkDraft>): void => {
    setDraft({ ...draft, ...changed })
    creating.reset()
  }
  return (
    <div className={styles['columns']}>
      <Card>
        <Form
          onSubmit={() => {
            setWasSent(true)
            if (Object.keys(problemsOf(draft)).length === 0) creating.run(draft)
          }}
          failure={Object.keys(refused).length > 0 ? null : creating.failure}
          actions={
            <Button kind="primary" type="submit" busy={creating.isRunning}>
              {words.create}
            </Button>
          }
        >
          <LinkFields draft={draft} onChange={change} problems={problems} now={now} />
        </Form>
      </Card>
      <div className={styles['preview']}>
        <LinkPreview draft={draft} now={now} />
      </div>
    </div>
  )
}

export const NewLinkScreen = () => {
  const words = useWords(newLinkWords)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Screen title={words.title}>
      {made === null ? <NewLinkForm onMade={setMade} /> : <MadeLink made={made} onAnother={() => setMade(null)} />}
    </Screen>
  )
}

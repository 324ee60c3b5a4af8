/** Webhooks screen: the addresses that are told of events, and a new one. */
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { createWebhook, listWebhooks, type WebhookAnswer } from '#contract/merchant/webhooks.ts'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { ShownOnceDialog } from '../../forms/shown-once-dialog.tsx'
import { useRead, useSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useWords } from '../../words/language.tsx'
import { DevelopersFrame } from './developers-frame.tsx'
import { useWebhookFacts } from './webhook-facts.ts'
import { WebhookForm } from './webhook-form.tsx'
import { webhookWords } from './webhook-words.ts'
import { developerWords } from './words.ts'

const WebhookItem = ({ of }: { readonly of: WebhookAnswer }) => {
  const { state, kind, events, warning } = useWebhookFacts(of)
  return (
    <Item
      title={<Link href={`/developers/webhooks/${of.id}`}>{of.url}</Link>}
      badge={<Badge kind={kind}>{state}</Badge>}
      details={[events]}
      warning={warning}
    />
  )
}

interface NewWebhookProps {
  /** Null: the form; else the secret of the one that was made. */
  readonly secret: string | null
  onMade(secret: string): Promise<void>
  onClose(): void
}

const NewWebhook = ({ secret, onMade, onClose }: NewWebhookProps) => {
  const words = useWords(webhookWords)
  const send = useSend()
  return (
    <ShownOnceDialog
      title={words.newWebhook}
      shown={secret === null ? null : { name: words.secret, text: secret, warning: words.secretShownOnce }}
      onClose={onClose}
    >
      <WebhookForm
        initial={{ url: '', types: null }}
        action={words.newWebhook}
        act={({ url, types }) => send(createWebhook, { body: { url, ...(types === null ? {} : { types }) } })}
        onDone={(made) => onMade(made.secret)}
      />
    </ShownOnceDialog>
  )
}

export const WebhooksScreen = () => {
  const [words, { webhooks: title }] = [useWords(webhookWords), useWords(developerWords)]
  const webhooks = useRead(listWebhooks)
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <DevelopersFrame
      actions={
        <Button kind="primary" type="button" onClick={() => setAdding(true)}>
          {words.newWebhook}
        </Button>
      }
    >
      <Card title={title}>
        <Explanation>{words.webhooksLead}</Explanation>
        <Reading of={webhooks}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="developers" title={words.noWebhooks}>
                {words.noWebhooksText}
              </Empty>
            ) : (
              <ItemList>
                {items.map((webhook) => (
                  <WebhookItem key={webhook.id} of={webhook} />
                ))}
              </ItemList>
            )
          }
        </Reading>
      </Card>
      {isAdding ? (
        <NewWebhook
          secret={secret}
          onMade={async (made) => {
            setSecret(made)
            await webhooks.refetch()
          }}
          onClose={() => {
            setAdding(false)
            setSecret(null)
          }}
        />
      ) : null}
    </DevelopersFrame>
  )
}

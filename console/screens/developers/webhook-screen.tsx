/** Webhook screen: one webhook, what can be done with it, and everything that was sent to it. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Button } from '../../forms/button.tsx'
import {
  changeWebhook,
  pingWebhook,
  readWebhook,
  removeWebhook,
  rollWebhook,
  type WebhookAnswer,
} from '#contract/merchant/webhooks.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Dialog } from '../../forms/dialog.tsx'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { ShownOnceDialog } from '../../forms/shown-once-dialog.tsx'
import { useAction, useRead, useSend } from '../../session/use-calls.ts'
import { BackLink, Card } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { DeliveriesCard } from './deliveries-card.tsx'
import { DevelopersFrame } from './developers-frame.tsx'
import { useWebhookFacts } from './webhook-facts.ts'
import { WebhookForm } from './webhook-form.tsx'
import { webhookWords } from './webhook-words.ts'
import { developerWords } from './words.ts'
import styles from './developers.module.css'

type Open =
  | { readonly what: 'nothing' | 'change' | 'disable' | 'roll' | 'remove' }
  | { readonly what: 'secret'; readonly secret: string; readonly note: string }

interface OpenDialogProps {
  readonly open: Open
  readonly of: WebhookAnswer
  onOpen(open: Open): void
  readAgain(): Promise<unknown>
}

const OpenDialog = ({ open, of, onOpen, readAgain }: OpenDialogProps) => {
  const [words, shared] = [useWords(webhookWords), useWords(sharedWords)]
  const { time } = useFormats()
  const [send, toast] = [useSend(), useToast()]
  const [, goTo] = useLocation()
  const params = { webhookId: of.id }
  const close = (): void => onOpen({ what: 'nothing' })
  const saved = async (): Promise<void> => {
    close()
    await readAgain()
    toast(shared.saved)
  }
  switch (open.what) {
    case 'nothing':
      return null
    case 'change':
      return (
        <Dialog title={words.changeWebhook} isOpen onClose={close}>
          <WebhookForm
            initial={{ url: of.url, types: of.types ?? null }}
            action={shared.save}
            act={(body) => send(changeWebhook, { params, body })}
            onDone={saved}
          />
        </Dialog>
      )
    case 'disable':
      return (
        <ConfirmDialog
          title={words.disableTitle}
          text={words.disableText}
          action={words.disable}
          act={() => send(changeWebhook, { params, body: { enabled: false } })}
          onDone={saved}
          onClose={close}
        />
      )
    case 'roll':
      return (
        <ConfirmDialog
          title={words.rollSecretTitle}
          text={words.rollSecretText}
          action={words.rollSecret}
          act={() => send(rollWebhook, { params })}
          onDone={({ secret, previousSecretUntil }) =>
            onOpen({ what: 'secret', secret, note: words.oldSecretUntil(time(previousSecretUntil)) })
          }
          onClose={close}
        />
      )
    case 'secret':
      return (
        <ShownOnceDialog
          shown={{ name: words.secret, text: open.secret, warning: words.secretShownOnce, note: open.note }}
          onClose={close}
        />
      )
    case 'remove':
      return (
        <ConfirmDialog
          title={words.removeTitle}
          text={words.removeText}
          action={words.remove}
          act={() => send(removeWebhook, { params })}
          onDone={() => {
            toast(words.removed)
            goTo('/developers/webhooks')
          }}
          onClose={close}
        />
      )
  }
}

const WebhookCard = ({ of, readAgain }: { readonly of: WebhookAnswer; readAgain(): Promise<unknown> }) => {
  const [words, { created }] = [useWords(webhookWords), useWords(developerWords)]
  const { time } = useFormats()
  const [send, toast, queries] = [useSend(), useToast(), useQueryClient()]
  const [open, setOpen] = useState<Open>({ what: 'nothing' })
  const { state, kind, events, warning } = useWebhookFacts(of)
  const pinging = useAction(
    () => send(pingWebhook, { params: { webhookId: of.id } }),
    async () => {
      toast(words.pinged)
      // The list of deliveries is read by itself only while it has one that waits.
      await queries.invalidateQueries()
    },
  )
  const enabling = useAction(
    () => send(changeWebhook, { params: { webhookId: of.id }, body: { enabled: true } }),
    async () => {
      await readAgain()
    },
  )
  const button = (label: string, onClick: () => void, isBusy = false) => (
    <Button kind="secondary" type="button" onClick={onClick} busy={isBusy} disabled={isBusy}>
      {label}
    </Button>
  )
  return (
    <Card>
      <ItemList>
        <Item
          title={of.url}
          badge={<Badge kind={kind}>{state}</Badge>}
          details={[of.types?.join(', ') ?? events, created(time(of.createdAt)), of.id]}
          warning={warning}
        />
      </ItemList>
      <div className={styles['buttons']}>
        {of.enabled ? button(words.ping, pinging.run, pinging.isRunning) : null}
        {button(words.change, () => setOpen({ what: 'change' }))}
        {button(words.rollSecret, () => setOpen({ what: 'roll' }))}
        {of.enabled
          ? button(words.disable, () => setOpen({ what: 'disable' }))
          : button(words.enable, enabling.run, enabling.isRunning)}
        {button(words.remove, () => setOpen({ what: 'remove' }))}
      </div>
      <FailureNotice failure={pinging.failure ?? enabling.failure} />
      <OpenDialog open={open} of={of} onOpen={setOpen} readAgain={readAgain} />
    </Card>
  )
}

export const WebhookScreen = () => {
  const words = useWords(webhookWords)
  const { webhookId = '' } = useParams()
  const webhook = useRead(readWebhook, { params: { webhookId } })
  return (
    <DevelopersFrame>
      <div>
        <BackLink href="/developers/webhooks">{words.allWebhooks}</BackLink>
      </div>
      <Reading of={webhook}>
        {(of) => (
          <>
            <WebhookCard of={of} readAgain={() => webhook.refetch()} />
            <DeliveriesCard webhookId={webhookId} />
          </>
        )}
      </Reading>
    </DevelopersFrame>
  )
}

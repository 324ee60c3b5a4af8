/** Card of the person's passkeys: lists them, adds one, removes one. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { listPasskeys, removePasskey, type PasskeyAnswer } from '#contract/console/person.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Dialog } from '../../forms/dialog.tsx'
import { Item, ItemList } from '../../forms/item-list.tsx'
import { useRefreshSession } from '../../session/session.tsx'
import { usePersonRead, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { EnrolForm } from '../enrol/enrol-form.tsx'
import { accountWords } from './words.ts'

const PasskeyItem = ({ passkey, onRemove }: { readonly passkey: PasskeyAnswer; onRemove(): void }) => {
  const words = useWords(accountWords)
  const { time } = useFormats()
  const used = passkey.lastUsedAt === undefined ? words.never : `${words.lastUsed}: ${time(passkey.lastUsedAt)}`
  const [openedAt] = useState(() => Date.now())
  const waits = Date.parse(passkey.confirmsFrom) > openedAt
  return (
    <Item
      title={passkey.name}
      details={[`${words.created}: ${time(passkey.createdAt)}`, used]}
      warning={waits ? words.waits(time(passkey.confirmsFrom)) : undefined}
      actions={
        <Button kind="secondary" type="button" onClick={onRemove}>
          {words.remove}
        </Button>
      }
    />
  )
}

export const PasskeysCard = () => {
  const words = useWords(accountWords)
  const passkeys = usePersonRead(listPasskeys)
  const [queries, refresh, toast, send] = [useQueryClient(), useRefreshSession(), useToast(), usePersonSend()]
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<PasskeyAnswer | null>(null)
  const readAgain = async (done: string): Promise<void> => {
    await Promise.all([passkeys.refetch(), refresh(), queries.invalidateQueries()])
    toast(done)
  }
  return (
    <Card
      title={words.passkeys}
      actions={
        <Button kind="secondary" type="button" onClick={() => setAdding(true)}>
          {words.addPasskey}
        </Button>
      }
    >
      <Explanation>{words.passkeysLead}</Explanation>
      <Reading of={passkeys}>
        {({ items }) => (
          <ItemList>
            {items.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} onRemove={() => setRemoved(passkey)} />
            ))}
          </ItemList>
        )}
      </Reading>
      <Dialog title={words.addPasskey} isOpen={isAdding} onClose={() => setAdding(false)}>
        <EnrolForm
          onEnrolled={async () => {
            setAdding(false)
            await readAgain(words.passkeyAdded)
          }}
        />
      </Dialog>
      {removed === null ? null : (
        <ConfirmDialog
          title={words.removeTitle(removed.name)}
          text={words.removeText}
          action={words.remove}
          act={() => send(removePasskey, { params: { passkeyId: removed.id } })}
          onClose={() => setRemoved(null)}
          onDone={async () => {
            setRemoved(null)
            await readAgain(words.removed)
          }}
        />
      )}
    </Card>
  )
}

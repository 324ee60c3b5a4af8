/** Keys screen: the API keys of the shop in its mode; made, rolled and revoked here. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { listKeys, revokeKey, rollKey, type KeyAnswer } from '#contract/console/keys.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { ShownOnceDialog } from '../../forms/shown-once-dialog.tsx'
import { useShop } from '../../session/session.tsx'
import { useRead, useSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { DevelopersFrame } from './developers-frame.tsx'
import { KeyForm } from './key-form.tsx'
import { developerWords } from './words.ts'
import styles from './developers.module.css'

/** What is open above the list. */
type Open =
  | { readonly what: 'nothing' }
  | { readonly what: 'form' }
  | { readonly what: 'shown'; readonly key: string; readonly note: string | null }
  | { readonly what: 'roll' | 'revoke'; readonly of: KeyAnswer }

const KeyItem = ({ of, onOpen }: { readonly of: KeyAnswer; onOpen(open: Open): void }) => {
  const words = useWords(developerWords)
  const { time } = useFormats()
  const details = [
    words.accesses[of.access],
    words.created(time(of.createdAt)),
    of.lastUsedAt === undefined ? words.neverUsed : words.lastUsed(time(of.lastUsedAt)),
    ...(of.expiresAt === undefined ? [] : [words.endsAt(time(of.expiresAt))]),
  ]
  const isActive = of.state === 'active'
  const title = [of.name ?? words.unnamedKey, ...(of.hint === undefined ? [] : [words.ending(of.hint)])].join(' · ')
  return (
    <Item
      title={title}
      badge={<Badge kind={isActive ? 'good' : 'plain'}>{words.states[of.state]}</Badge>}
      details={details}
      actions={
        isActive ? (
          <>
            {of.expiresAt === undefined ? (
              <Button kind="secondary" type="button" onClick={() => onOpen({ what: 'roll', of })}>
                {words.roll}
              </Button>
            ) : null}
            <Button kind="secondary" type="button" onClick={() => onOpen({ what: 'revoke', of })}>
              {words.revoke}
            </Button>
          </>
        ) : undefined
      }
    />
  )
}

interface OpenDialogProps {
  readonly open: Open
  onOpen(open: Open): void
  readAgain(): Promise<unknown>
}

const OpenDialog = ({ open, onOpen, readAgain }: OpenDialogProps) => {
  const words = useWords(developerWords)
  const { time } = useFormats()
  const [send, toast] = [useSend(), useToast()]
  const close = (): void => onOpen({ what: 'nothing' })
  const show = async (key: string, note: string | null): Promise<void> => {
    onOpen({ what: 'shown', key, note })
    await readAgain()
  }
  switch (open.what) {
    case 'nothing':
      return null
    case 'form':
      return (
        <ShownOnceDialog title={words.newKey} shown={null} onClose={close}>
          <KeyForm onMade={(key) => show(key, null)} />
        </ShownOnceDialog>
      )
    case 'shown':
      return (
        <ShownOnceDialog
          shown={{ name: words.keyShown, text: open.key, warning: words.keyShownOnce, note: open.note }}
          onClose={close}
        />
      )
    case 'roll':
      return (
        <ConfirmDialog
          title={words.rollTitle}
          text={words.rollText}
          action={words.roll}
          act={() => send(rollKey, { params: { keyId: open.of.id }, body: {} })}
          onDone={({ key, oldExpiresAt }) => show(key, words.oldKeyUntil(time(oldExpiresAt)))}
          onClose={close}
        />
      )
    case 'revoke':
      return (
        <ConfirmDialog
          title={words.revokeTitle}
          text={words.revokeText}
          action={words.revoke}
          act={() => send(revokeKey, { params: { keyId: open.of.id } })}
          onDone={async () => {
            close()
            await readAgain()
            toast(words.revoked)
          }}
          onClose={close}
        />
      )
  }
}

export const KeysScreen = () => {
  const words = useWords(developerWords)
  const { mode } = useShop()
  const keys = useRead(listKeys)
  const [open, setOpen] = useState<Open>({ what: 'nothing' })
  const newKey = (
    <Button kind="primary" type="button" onClick={() => setOpen({ what: 'form' })}>
      {words.newKey}
    </Button>
  )
  return (
    <DevelopersFrame actions={newKey}>
      <Card title={words.keys}>
        <Explanation>{words.keysLead}</Explanation>
        <Reading of={keys}>
          {({ items }) => {
            const ofMode = items.filter((key) => key.mode === mode)
            const [active, ended] = [
              ofMode.filter(({ state }) => state === 'active'),
              ofMode.filter(({ state }) => state !== 'active'),
            ]
            return (
              <>
                {active.length === 0 ? (
                  <Empty icon="key" title={words.noKeys}>
                    {words.noKeysText}
                  </Empty>
                ) : (
                  <ItemList>
                    {active.map((key) => (
                      <KeyItem key={key.id} of={key} onOpen={setOpen} />
                    ))}
                  </ItemList>
                )}
                {ended.length === 0 ? null : (
                  <details className={styles['ended']}>
                    <summary>{words.endedKeys(ended.length)}</summary>
                    <ItemList>
                      {ended.map((key) => (
                        <KeyItem key={key.id} of={key} onOpen={setOpen} />
                      ))}
                    </ItemList>
                  </details>
                )}
              </>
            )
          }}
        </Reading>
      </Card>
      <OpenDialog open={open} onOpen={setOpen} readAgain={() => keys.refetch()} />
    </DevelopersFrame>
  )
}

/** People screen: the people of a shop and its open invitations; an owner changes both here. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import {
  approvePasskey,
  listPeople,
  removePerson,
  withdrawInvitation,
  type InvitationAnswer,
  type Member,
} from '#contract/console/people.ts'
import { hasRole } from '#contract/console/roles.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Badge, Item, ItemList } from '../../forms/item-list.tsx'
import { useRefreshSession, useSession, useShop } from '../../session/session.tsx'
import { useRead, useSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PeopleFrame } from './people-frame.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { peopleWords } from './words.ts'

/** What is open above the lists. */
type Open =
  | { readonly what: 'nothing' | 'invite' }
  | { readonly what: 'role' | 'remove'; readonly of: Member }
  | { readonly what: 'approve'; readonly of: Member; readonly passkeyId: string }
  | { readonly what: 'withdraw'; readonly of: InvitationAnswer }

const MemberItem = ({
  of,
  canChange,
  onOpen,
}: {
  readonly of: Member
  readonly canChange: boolean
  onOpen(open: Open): void
}) => {
  const [words, shared] = [useWords(peopleWords), useWords(sharedWords)]
  const { time } = useFormats()
  const isYou = useSession().person.id === of.id
  const [waiting] = of.waitingPasskeys ?? []
  return (
    <Item
      title={isYou ? `${of.name} (${words.you})` : of.name}
      badge={<Badge kind="plain">{shared.roles[of.role]}</Badge>}
      details={[of.email, words.joined(time(of.joinedAt)), ...(of.hasPasskey === false ? [words.noPasskey] : [])]}
      warning={waiting === undefined ? undefined : words.waitingPasskey(waiting.name, time(waiting.confirmsFrom))}
      actions={
        canChange ? (
          <>
            {waiting === undefined || isYou ? null : (
              <Button
                kind="secondary"
                type="button"
                onClick={() => onOpen({ what: 'approve', of, passkeyId: waiting.id })}
              >
                {words.approve}
              </Button>
            )}
            <Button kind="secondary" type="button" onClick={() => onOpen({ what: 'role', of })}>
              {words.changeRole}
            </Button>
            <Button kind="secondary" type="button" onClick={() => onOpen({ what: 'remove', of })}>
              {words.remove}
            </Button>
          </>
        ) : undefined
      }
    />
  )
}

interface OpenDialogProps {
  readonly open: Open
  onClose(): void
  readAgain(): Promise<unknown>
}

const OpenDialog = ({ open, onClose, readAgain }: OpenDialogProps) => {
  const [words, shared] = [useWords(peopleWords), useWords(sharedWords)]
  const [send, toast, refreshSession] = [useSend(), useToast(), useRefreshSession()]
  // A person who changes their own role or leaves sees at once what is left to them.
  const done = (text: string) => async (): Promise<void> => {
    onClose()
    await Promise.all([readAgain(), refreshSession()])
    toast(text)
  }
  switch (open.what) {
    case 'nothing':
      return null
    case 'invite':
      return <InviteDialog onInvited={readAgain} onClose={onClose} />
    case 'role':
      return <RoleDialog of={open.of} onSaved={done(shared.saved)} onClose={onClose} />
    case 'remove':
      return (
        <ConfirmDialog
          title={words.removeTitle(open.of.name)}
          text={words.removeText}
          action={words.remove}
          act={() => send(removePerson, { params: { personId: open.of.id } })}
          onDone={done(words.removed)}
          onClose={onClose}
        />
      )
    case 'approve':
      return (
        <ConfirmDialog
          title={words.approveTitle(open.of.name)}
          text={words.approveText}
          action={words.approve}
          act={() => send(approvePasskey, { params: { personId: open.of.id, passkeyId: open.passkeyId } })}
          onDone={done(words.approved)}
          onClose={onClose}
        />
      )
    case 'withdraw':
      return (
        <ConfirmDialog
          title={words.withdrawTitle}
          text={words.withdrawText}
          action={words.withdraw}
          act={() => send(withdrawInvitation, { params: { invitationId: open.of.id } })}
          onDone={done(words.withdrawn)}
          onClose={onClose}
        />
      )
  }
}

interface InvitationsProps {
  readonly of: readonly InvitationAnswer[]
  readonly canChange: boolean
  onOpen(open: Open): void
}

const Invitations = ({ of, canChange, onOpen }: InvitationsProps) => {
  const [words, shared] = [useWords(peopleWords), useWords(sharedWords)]
  const { time } = useFormats()
  return of.length === 0 ? (
    <Empty icon="mail" title={words.noInvitations}>
      {words.noInvitationsText}
    </Empty>
  ) : (
    <ItemList>
      {of.map((invitation) => (
        <Item
          key={invitation.id}
          title={invitation.email}
          badge={<Badge kind="plain">{shared.roles[invitation.role]}</Badge>}
          details={[words.endsAt(time(invitation.expiresAt))]}
          actions={
            canChange ? (
              <Button kind="secondary" type="button" onClick={() => onOpen({ what: 'withdraw', of: invitation })}>
                {words.withdraw}
              </Button>
            ) : undefined
          }
        />
      ))}
    </ItemList>
  )
}

export const PeopleScreen = () => {
  const words = useWords(peopleWords)
  const canChange = hasRole(useShop().role, 'owner')
  const people = useRead(listPeople)
  const [open, setOpen] = useState<Open>({ what: 'nothing' })
  const invite = (
    <Button kind="primary" type="button" onClick={() => setOpen({ what: 'invite' })}>
      {words.invite}
    </Button>
  )
  return (
    <PeopleFrame actions={canChange ? invite : undefined}>
      <Card title={words.members}>
        <Explanation>{words.lead}</Explanation>
        <Reading of={people}>
          {({ people: members }) => (
            <ItemList>
              {members.map((member) => (
                <MemberItem key={member.id} of={member} canChange={canChange} onOpen={setOpen} />
              ))}
            </ItemList>
          )}
        </Reading>
      </Card>
      <Card title={words.invitations}>
        <Reading of={people}>
          {({ invitations }) => <Invitations of={invitations} canChange={canChange} onOpen={setOpen} />}
        </Reading>
      </Card>
      <OpenDialog open={open} onClose={() => setOpen({ what: 'nothing' })} readAgain={() => people.refetch()} />
    </PeopleFrame>
  )
}

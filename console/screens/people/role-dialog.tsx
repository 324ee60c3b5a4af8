/** Role dialog: gives a person of the shop another role. */
import { useState } from 'react'
import { changeRole, type Member } from '#contract/console/people.ts'
import { ROLES, type Role } from '#contract/console/roles.ts'
import { Dialog } from '../../forms/dialog.tsx'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { peopleWords } from './words.ts'

interface RoleDialogProps {
  readonly of: Member
  onSaved(): Promise<void>
  onClose(): void
}

export const RoleDialog = ({ of, onSaved, onClose }: RoleDialogProps) => {
  const [words, shared] = [useWords(peopleWords), useWords(sharedWords)]
  const send = useSend()
  const [role, setRole] = useState<Role>(of.role)
  const saving = useAction(() => send(changeRole, { params: { personId: of.id }, body: { role } }), onSaved)
  return (
    <Dialog title={words.changeRoleTitle(of.name)} isOpen onClose={onClose}>
      <Form
        onSubmit={saving.run}
        failure={saving.failure}
        actions={<SubmitButtons label={shared.save} isRunning={saving.isRunning} />}
      >
        <SelectField<Role>
          label={words.role}
          value={role}
          onChange={setRole}
          choices={ROLES.map((value) => ({ value, label: shared.roles[value], detail: words.roleDetails[value] }))}
        />
      </Form>
    </Dialog>
  )
}

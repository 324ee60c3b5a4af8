/** Error boundary: a screen whose script cannot be loaded, without a connection or after an update, or that fails, says so; the next screen is drawn again. */
import { Component, type ReactNode } from 'react'
import { isScriptFailure } from './script-failure.ts'
import { Failed } from './states.tsx'

interface Props {
  /** The address of the screen. */
  readonly address: string
  readonly children: ReactNode
}

interface State {
  readonly address: string
  readonly code: 'screen_not_loaded' | 'screen_failed' | null
}

export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { address: this.props.address, code: null }

  /** Another address is another screen: the fault of the last one is none of it. */
  static getDerivedStateFromProps({ address }: Props, state: State): State | null {
    return address === state.address ? null : { address, code: null }
  }

  static getDerivedStateFromError(error: unknown): Pick<State, 'code'> {
    return { code: isScriptFailure(error) ? 'screen_not_loaded' : 'screen_failed' }
  }

  override render(): ReactNode {
    const { code } = this.state
    return code === null ? (
      this.props.children
    ) : (
      <Failed failure={{ code, params: {} }} retry={() => window.location.reload()} />
    )
  }
}

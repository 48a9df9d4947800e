import { useState, type ReactNode } from 'react'
import { Card } from '../parts/Card.tsx'
import { Modal } from '../parts/Confirm.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { Icon } from '../parts/Icon.tsx'
import { LiveState } from '../parts/LiveState.tsx'
import { Menu } from '../parts/Menu.tsx'
import { Badge, Empty, ErrorNote, Missing, Note, Skeleton, type Tone } from '../parts/notes.tsx'
import { QuotaBars } from '../parts/QuotaBars.tsx'
import { useSay } from '../parts/toasts.tsx'
import { StatusError } from '../watch/statusError.ts'
import { Chart } from './Chart.tsx'

const tones: readonly (readonly [Tone, string])[] = [
  ['plain', 'Unknown'],
  ['good', 'Ready'],
  ['warn', 'Pending'],
  ['bad', 'Failed'],
]
const colors = [
  ...['page', 'surface', 'raised', 'hover', 'chosen', 'line', 'line-strong', 'text', 'muted'],
  ...['accent', 'accent-fill', 'on-accent', 'good', 'good-back', 'warn', 'warn-back', 'bad'],
  ...['bad-back', 'info-back', 'added', 'removed'],
]
const refusal = new StatusError(
  {
    reason: 'Invalid',
    message: 'Service "web" is invalid: the port is out of range and the selector is missing',
    details: {
      causes: [
        { field: 'spec.ports[0].port', message: 'must be between 1 and 65535' },
        { field: 'spec.selector', message: 'required' },
      ],
    },
  },
  422,
)
const values = [3, 5, 4, 8, 6, 9].map((value, at) => ({ at: at * 1000, value }))
const nothing = () => undefined

/** Every component in every state, to look at and to test: light, dark, and with the colors of an installation. */
export default function Components() {
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Components</h1>
          <p className="crumbs">
            <span>The parts that pages are made of, in each of their states.</span>
          </p>
        </div>
      </div>
      <Actions />
      <Words />
      <States />
      <Fields />
      <Values />
      <Colors />
    </main>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="stack">{children}</div>
    </Card>
  )
}

function Actions() {
  const [isOpen, setOpen] = useState(false)
  const say = useSay()
  return (
    <Group title="Actions">
      <div className="buttons">
        <button type="button" className="button main">
          Main
        </button>
        <button type="button" className="button">
          Plain
        </button>
        <button type="button" className="button">
          <Icon name="add" /> With an icon
        </button>
        <button type="button" className="button danger">
          Dangerous
        </button>
        <button type="button" className="button quiet">
          Quiet
        </button>
        <button type="button" className="button main" disabled>
          Not possible
        </button>
        <Menu
          label="A menu"
          entries={[
            { text: 'An action', onChoose: nothing },
            { text: 'A dangerous action …', isDanger: true, onChoose: nothing },
          ]}
        >
          Menu <Icon name="more" />
        </Menu>
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Open a window
        </button>
        <button type="button" className="button" onClick={() => say('The change is stored.')}>
          Say that it is stored
        </button>
        <button type="button" className="button" onClick={() => say('It was refused.', 'bad')}>
          Say that it was refused
        </button>
        <kbd>Ctrl K</kbd>
      </div>
      {isOpen ? (
        <Modal title="A window" onClose={() => setOpen(false)} closeText="Close">
          <p>The page behind it cannot be used until it is closed.</p>
        </Modal>
      ) : null}
    </Group>
  )
}

function Words() {
  return (
    <Group title="States as words">
      <div className="buttons">
        {tones.map(([tone, word]) => (
          <Badge key={tone} tone={tone}>
            {word}
          </Badge>
        ))}
      </div>
      <div className="buttons">
        <LiveState state={{ name: 'live' }} onRetry={nothing} />
        <LiveState state={{ name: 'listed' }} onRetry={nothing} />
        <LiveState
          state={{ name: 'stale', error: new TypeError('network error') }}
          onRetry={nothing}
        />
      </div>
      {tones.map(([tone]) => (
        <Note key={tone} tone={tone}>
          A sentence that says what is so, and what to do next.
        </Note>
      ))}
      <div className="chips">
        {['app=web', 'tier=front', 'a-label.example.com/with-a-long-name=and-a-value'].map(
          (each) => (
            <span key={each} className="chip">
              {each}
            </span>
          ),
        )}
      </div>
    </Group>
  )
}

function States() {
  const states: readonly (readonly [string, ReactNode])[] = [
    ['Loading', <Skeleton key="loading" />],
    [
      'Empty',
      <Empty key="empty" title="There are no services here yet">
        <p>Choose another namespace above, or create the first one.</p>
      </Empty>,
    ],
    [
      'Partial rights',
      <Missing key="missing" what="list secrets in all namespaces" why="#/access" />,
    ],
    ['Refused by the server', <ErrorNote key="refused" error={refusal} />],
    [
      'Offline',
      <ErrorNote key="offline" error={new TypeError('network error')} onRetry={nothing} />,
    ],
    [
      'Not up to date',
      <Note key="stale" tone="warn">
        The connection is interrupted; this may not be up to date.
      </Note>,
    ],
  ]
  return (
    <section className="tiles wide" aria-label="States of a page">
      {states.map(([title, shown]) => (
        <Group key={title} title={title}>
          {shown}
        </Group>
      ))}
    </section>
  )
}

function Fields() {
  return (
    <Group title="Fields">
      <div className="field">
        <label htmlFor="component-text">A text</label>
        <input id="component-text" className="input" placeholder="An example of it" />
      </div>
      <div className="field">
        <label htmlFor="component-wrong">A wrong value</label>
        <input
          id="component-wrong"
          className="input"
          aria-invalid
          aria-describedby="component-problem"
          defaultValue="99999"
        />
        <ul className="problems" id="component-problem">
          <li>
            <Icon name="bad" /> must be between 1 and 65535
          </li>
        </ul>
      </div>
      <div className="field">
        <label htmlFor="component-choice">A choice</label>
        <select id="component-choice" className="input">
          <option>One</option>
          <option>Another</option>
        </select>
      </div>
      <CopyField label="A value to copy" value="0123456789abcdef" />
    </Group>
  )
}

function Values() {
  const format = String
  return (
    <section className="tiles" aria-label="Values">
      <Chart title="A chart without values" points={[]} format={format} />
      <Chart title="A chart" points={values} format={format} />
      <Group title="Quota">
        <QuotaBars
          limits={{ pods: '10', 'requests.memory': '4Gi', services: '2' }}
          used={{ pods: '3', 'requests.memory': '3584Mi', services: '2' }}
        />
      </Group>
    </section>
  )
}

function Colors() {
  return (
    <Group title="Colors by role">
      <ul className="swatches">
        {colors.map((name) => (
          <li key={name}>
            <span style={{ background: `var(--${name})` }} />
            {name}
          </li>
        ))}
      </ul>
    </Group>
  )
}

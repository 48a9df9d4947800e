import { Modal } from '../parts/Confirm.tsx'

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl K, ⌘K or :', 'Go to a page, kind or object'],
  ['/', 'Search in the table'],
  ['j, k or ↓, ↑', 'Next and previous row'],
  ['g g, G', 'First and last row'],
  ['Enter', 'Open the object'],
  ['e', 'Edit as YAML'],
  ['Ctrl S, ⌘S', 'Review a change of the YAML'],
  ['Escape, then Tab', 'Leave the editor'],
  ['x', 'Select the row'],
  ['Ctrl+D', 'Delete the selected rows'],
  ['n', 'Create an object'],
  ['g h, g p, g k', 'Overview, projects, access keys'],
  ['?', 'This list'],
]

/** Dialog with the keyboard shortcuts of the console. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose} closeText="Close">
      <dl className="facts">
        {keys.map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}

import { autocompletion, closeBrackets, type CompletionSource } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import {
  highlightSelectionMatches,
  search,
  searchKeymap,
  searchPanelOpen,
} from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type HoverTooltipSource,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { TextProblem } from './yaml.ts'

export interface OpenedEditor {
  text(): string
  setText(text: string): void
  showProblems(problems: readonly TextProblem[]): void
  close(): void
}

export interface EditorOptions {
  text: string
  isReadOnly: boolean
  label: string
  onChange: (text: string) => void
  complete?: CompletionSource
  explain?: HoverTooltipSource
}

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--page)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.55',
    maxHeight: '70vh',
    minHeight: '320px',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--chosen) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    color: 'var(--text)',
    maxWidth: '520px',
  },
  '.cm-tooltip .explained': { padding: '8px 10px', whiteSpace: 'pre-wrap' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--chosen)',
    color: 'var(--text)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
})

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
])

/** Time after Escape in which Tab leaves the editor instead of indenting: long enough for slow typists. */
const leaveMs = 30_000

/** Escape first closes an open search and removes extra cursors. */
function letTabLeave(view: EditorView): boolean {
  if (searchPanelOpen(view.state) || view.state.selection.ranges.length > 1) return false
  view.setTabFocusMode(leaveMs)
  return true
}

/**
 * Opens an editor in a shadow root. There the editor adds its styles as constructed style sheets rather than elements,
 * so the page's policy needs no exception for them.
 */
export function openEditor(place: HTMLElement, options: EditorOptions): OpenedEditor {
  const { text, isReadOnly, label, onChange, complete, explain } = options
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        yaml(),
        syntaxHighlighting(colors),
        look,
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        autocompletion(complete === undefined ? {} : { override: [complete] }),
        explain === undefined ? [] : hoverTooltip(explain),
        keymap.of([
          { key: 'Escape', run: letTabLeave },
          ...[...searchKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab],
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    text: () => view.state.doc.toString(),
    setText: (next) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    showProblems: (problems) => {
      const { length } = view.state.doc
      const inside = (at: number) => Math.min(Math.max(0, at), length)
      const shown = problems.map(({ from, to, message }) => ({
        from: inside(from),
        to: inside(to),
        message,
        severity: 'error' as const,
      }))
      view.dispatch(setDiagnostics(view.state, shown))
    },
    close: () => view.destroy(),
  }
}

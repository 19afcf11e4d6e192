// What only a run with a model needs: opening a turn on the page, asking the model, reading what it says, painting, sorting
// its calls. Loaded when the first turn begins, so that an app in which nobody delegates does not pay for it.
export { sortTurn } from './sort-turn.js';
export { openTurn, requestTurn } from './turn.js';

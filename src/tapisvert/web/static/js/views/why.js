/** Why an option is the best: the rule of the card that applies, and what the others cost. */
import { lengthOf, told } from '../rule-card.js';
import { learn, words } from '../store.js';
import { t } from './parts.js';

/** @typedef {import('../protocol.js').AdviceView} AdviceView */

const SAME = 1e-9;
/** With more options than these, only the next best is named. */
const FEW = 4;
let learning = false;

/** Whether the words are here; they come when the first sentence is wanted. */
function ready() {
  if (words.value.find('why-best.rule')) return true;
  if (!learning) {
    learning = true;
    learn('why-best', 'rule').finally(() => { learning = false; });
  }
  return false;
}

/** @param {string} text */
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
/** @param {string} text */
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An amount of which only the average matters: a part of a cent is said in words.
 * @param {number} cents */
const amount = (cents) => (Math.round(cents) < 1 ? t('why-best.less-than', { cents: 1 })
  : words.value.money(Math.round(cents)));

/** The rule that applies, of the length the player looks at. @param {AdviceView} found
 * @param {string} game */
function ruleOf({ rules }, game) {
  const wanted = lengthOf(game);
  return rules.find(({ card }) => card === wanted) ?? rules.find(({ first }) => first);
}

/** What the worse options cost. @param {AdviceView} found @param {(id: string) => string} label */
function costs({ options, best, unit_cents: unit }, label) {
  const worse = Object.entries(options)
    .map(([id, value]) => ({ id, cost: (options[best] - value) * unit }))
    .filter(({ id, cost }) => id !== best && cost > SAME * unit)
    .sort((one, other) => one.cost - other.cost);
  const named = worse.length < FEW ? worse : worse.slice(0, 1);
  return named.map(({ id, cost }) => t('why-best.costs', { option: lower(label(id)),
    money: amount(cost) })).join(', ');
}

/** That a rule says something worse than the best choice; empty if it does not.
 * @param {AdviceView} found @param {AdviceView['rules'][number]} rule
 * @param {(id: string) => string} label */
export function against({ options, best, unit_cents: unit }, rule, label) {
  const off = (options[best] - options[rule.option]) * unit;
  return off > SAME * unit && ready() ? t(
    rule.otherwise ? 'why-best.wrong-otherwise' : 'why-best.wrong', { does: lower(told(rule.does)),
      says: told(rule.says), best: lower(label(best)), money: amount(off) }) : '';
}

/**
 * One or two sentences: why, and what the choice that was taken costs.
 * @param {AdviceView} found @param {string} game @param {(id: string) => string} label
 * @param {string} [taken]
 */
export function why(found, game, label, taken) {
  if (!ready()) return '';
  const { options, best, unit_cents: unit } = found, rule = ruleOf(found, game);
  const lost = taken && taken in options ? (options[best] - options[taken]) * unit : 0;
  const wrong = lost > SAME * unit;
  const chosen = wrong && taken
    ? `${t('why-best.taken', { option: lower(label(taken)), money: amount(lost) })} ` : '';
  const others = wrong ? '' : costs(found, label);
  const end = others ? t('why-best.end', { costs: others }) : '.';
  if (!rule) return `${chosen}${t('why-best.counted', { best: lower(label(best)) })}${end}`;
  const wrongly = against(found, rule, label);
  if (wrongly) return chosen + wrongly;
  const does = lower(told(rule.does)), says = told(rule.says);
  return chosen + (rule.otherwise ? t('why-best.otherwise', { does })
    : t('why-best.rule', { says: upper(says), does })) + end;
}

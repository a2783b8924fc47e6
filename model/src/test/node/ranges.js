// Makes the data that VersionRangeTest holds ranges against: what npm's semver says of generated ranges.
//
//   node ranges.js [COUNT [SEED]] | gzip -9n > ../resources/dev/sheaf/model/ranges.gz
//
// Lines, with a tab between their fields. A set of versions: "S", then the versions. After it, ranges that are asked
// of it: "R", the range with all but printable ASCII as \uXXXX, and "!" where npm refuses it, else the version that
// is the highest in it or "-", then a hexadecimal number with a bit for each version of the set that is in it, the
// first one lowest.
'use strict';

const semver = require('semver');

const COUNT = Number(process.argv[2] || 24000);
const RANGES_PER_SET = 40;
const MAX_LENGTH = 256; // what a selector may have

let state = Number(process.argv[3] || 20260101) >>> 0;

function random() { // mulberry32
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const number = (least, most) => least + Math.floor(random() * (most - least + 1));
const chance = (p) => random() < p;
const of = (list) => list[number(0, list.length - 1)];

const HUGE = ['9007199254740990', '9007199254740991', '9007199254740992', '99999999999999999999', '1e3'];
const PRERELEASES = ['0', '1', 'alpha', 'alpha.1', 'alpha.beta', 'beta', 'beta.2', 'beta.11', 'rc.1', '-', 'x', 'v-1',
  '0a', '9007199254740991', '9007199254740992', '9007199254740993', '1.0', 'A', 'a-b'];
const BUILDS = ['b', '001', 'b.7', '-', 'x', 'v1'];
const SPACES = [' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\ufeff', '\u3000', '\u2028', '\u0085', '\u200b', '\u180e',
  '\u000b', '\u001f'];

// --- versions ---

function version() {
  const core = [number(0, 3), of([0, 0, 1, 2, 9, 10]), of([0, 0, 1, 2, 3, 10])];
  if (chance(0.02)) {
    core[number(0, 2)] = of(HUGE.slice(0, 4));
  }
  return core.join('.') + (chance(0.4) ? '-' + of(PRERELEASES) : '') + (chance(0.1) ? '+' + of(BUILDS) : '');
}

function versions() {
  const found = new Map();
  const count = number(1, 24);
  for (let i = 0; i < 200 && found.size < count; i++) {
    const text = version();
    const precedence = text.split('+')[0].replace(/\d{16,}/g, Number); // as npm compares it
    found.has(precedence) || found.set(precedence, text);
  }
  return [...found.values()];
}

// --- ranges ---

const spaces = () => (chance(0.9) ? ' ' : of(SPACES).repeat(number(1, 2)));
const gap = () => (chance(0.85) ? '' : spaces());

function part(text) {
  if (chance(0.015)) {
    return of(['x', 'X', '*']);
  }
  if (chance(0.006)) {
    return of(['0' + text, HUGE[number(0, 4)], '', '\u0663', '-1', '1_', text + text.repeat(number(1, 20)), 'y']);
  }
  return text;
}

function partial(set) {
  const near = (chance(0.7) ? of(set) : version()).split('+')[0];
  const [core, ...pre] = near.split('-');
  const wanted = of([1, 2, 2, 3, 3, 3, 3, 3]);
  const parts = core.split('.').slice(0, wanted).map(part);
  if (chance(0.15)) {
    parts.fill(of(['x', 'X', '*']), number(0, wanted - 1));
  }
  let text = parts.join('.');
  text += chance(0.01) ? of(['.4', '.', '.x', '.*']) : '';
  if (pre.length > 0 && (wanted === 3 || chance(0.1)) || chance(0.02)) {
    text += of(['-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '', '_']) + (pre.length > 0 ? pre.join('-') : of(PRERELEASES));
  }
  if (chance(0.05)) {
    text += of(['+', '+', '+', '+', '+', '+', '_']) + of([...BUILDS, ...BUILDS, '', 'a+b']);
  }
  return (chance(0.06) ? of(['v', 'v', 'v', '=', 'V', 'v=', '=v', 'vv', ' v', 'v ']) : '') + text;
}

const OPERATORS = ['', '', '', '^', '^', '^', '~', '~', '~>', '<', '<=', '>', '>=', '>=', '=', '==', '=<', '=>', '!', '!=',
  '<>', '~=', '^=', '~>=', '^~', '>v', '^v', '~v'];

const comparator = (set) => of(OPERATORS.slice(0, chance(0.97) ? 15 : OPERATORS.length)) + gap() + partial(set);

function comparators(set) {
  const list = [];
  for (let n = of([1, 1, 1, 1, 2, 2, 2, 3, 4]); n > 0; n--) {
    list.push(comparator(set));
  }
  return list.reduce((all, one) => all + spaces() + one);
}

function simple(set) {
  const kind = random();
  if (kind < 0.14) {
    return partial(set) + of([' - ', ' - ', ' - ', ' - ', ' - ', ' - ', ' - ', ' - ', ' -', '- ', '-', '\t-  ', ' \u2013 ', ' - - ']) + partial(set)
      + (chance(0.05) ? ' ' + comparator(set) : '');
  }
  if (kind < 0.22) {
    return '>=' + partial(set) + spaces() + '<' + of(['', '=']) + partial(set);
  }
  if (kind < 0.26) {
    return of(['', '*', 'x', 'X', '>=0.0.0', '>=0', '<0.0.0-0', '<0', '<*', '>*', '<=*', '>=x', '=*', '>=v0.0.0', '^', '~', '>',
      '-', 'foo', 'latest', '|', '&&', '+b', '.', '^0', '^0.0', '^0.0.0', '~0', '^0.x', '>=0.0.0+b', '>=0.0.0-0', 'vx', '1.x.3']);
  }
  return comparators(set);
}

function range(set) {
  let text = simple(set);
  while (chance(0.2)) {
    text += of(['||', ' || ', ' || ', '|| ', ' ||', '||', ' || ', ' || ', '|| ', ' ||', ' | ', '||||', ' ||\t']) + simple(set);
  }
  if (chance(0.04)) {
    text = of([() => '||' + text, () => text + '||', () => ' ' + text + spaces(), () => text + ' || foo',
      () => text.toUpperCase(), () => text + '*', () => '*' + text])();
  }
  while (chance(0.05)) { // a slip of the hand
    const at = number(0, text.length);
    const slip = of([...'*xvV=<>~^-+.|0 1', '\u00e9', '\u0661', ',', '(', ' ', '\ud83d\ude00']);
    text = text.slice(0, at) + slip + text.slice(at + number(0, 1));
  }
  if (chance(0.01)) { // as long as may be
    const filler = of(['a', '1', ' ', '-', 'x', 'b.', '1.', '1 ', '^', '||', '1||', '0']);
    const at = number(0, text.length);
    const room = Math.max(0, MAX_LENGTH - text.length - (chance(0.5) ? 0 : number(0, 8)));
    text = text.slice(0, at) + filler.repeat(256).slice(0, room) + text.slice(at);
  }
  return text.slice(0, MAX_LENGTH);
}

// --- what npm says ---

const escaped = (text) => text.replace(/[^ -~]|\\/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

function answer(set, text) {
  if (semver.validRange(text) === null) {
    return '!';
  }
  let bits = 0n;
  set.forEach((one, i) => {
    bits |= semver.satisfies(one, text) ? 1n << BigInt(i) : 0n;
  });
  return (semver.maxSatisfying(set, text) || '-') + '\t' + bits.toString(16);
}

const lines = [];
for (let made = 0; made < COUNT;) {
  const set = versions();
  lines.push(['S', ...set].join('\t'));
  for (let i = 0; i < RANGES_PER_SET && made < COUNT; i++, made++) {
    const text = range(set);
    lines.push(['R', escaped(text), answer(set, text)].join('\t'));
  }
}
process.stdout.write(lines.join('\n') + '\n');

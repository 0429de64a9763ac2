import { saidOnce } from '../../build/lint/saidOnce.ts';
import { component, inComponents } from './ruleTesters.ts';

const twice = (state: string): { errors: object[] } => ({
  errors: [{ messageId: 'twice', data: { state } }],
});

inComponents.run('the name of what is pressed', saidOnce, {
  valid: [
    component(`<button :aria-pressed="held" @click="held ? stop() : hold()">{{ t('hold') }}</button>`),
    component(`<button>{{ t(held ? 'held' : 'hold') }}</button>`),
    component(`<button :aria-pressed="held">{{ t(named ? 'hold' : 'pause') }}</button>`),
  ],
  invalid: [
    {
      ...component(`<button :aria-pressed="held">{{ held ? t('a') : t('b') }}</button>`),
      ...twice('held'),
    },
    { ...component(`<Tip :name="t(a.open ? 'b' : 'c')" :aria-pressed="a.open" />`), ...twice('a.open') },
  ],
});

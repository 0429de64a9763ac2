import { computed, defineComponent, type PropType } from 'vue';

/**
 * A text that is made of the time. What it reads belongs to this component alone: each second the text is made, but it
 * is rendered only when it says something else, and what stands around it is not rendered at all.
 */
export const TickingText = defineComponent({
  name: 'TickingText',
  props: { of: { type: Function as PropType<() => string>, required: true } },
  setup(props) {
    const text = computed(() => props.of());
    return () => text.value;
  },
});

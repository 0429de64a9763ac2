// The way out of a kiosk when the console's own page is gone. Only a desktop's page can ask for it; a
// kiosk in a browser is ended by whoever started the console.
//
// A refusal comes as the id of a text. What renders it is gone too, so the texts that it can have stand here once
// more, in English as all of this page.
const refusals = {
  'kiosk.none': 'This is not a kiosk.',
  'kiosk.codeUnreadable': 'Can’t read the administrator’s code from computer policy.',
  'kiosk.codeMissing': 'Enter the administrator’s code.',
  'kiosk.noMemory': 'Can’t check the code: too little free memory.',
  'kiosk.wrongCode': 'Wrong administrator’s code.',
  'kiosk.throttled': 'Too many wrong codes: the next try must wait.',
};
const refusalText = ({ code, sentence }) =>
  sentence.text ?? refusals[sentence.id] ?? `The console refused this (${code}).`;

const leave = window.fieldConsole?.verbs?.leaveKiosk;
const form = document.querySelector('form');
const field = document.querySelector('#code');
const said = document.querySelector('#said');

if (leave && form && field && said) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const code = field.value;
    field.value = '';
    said.textContent = '';
    leave({ code })
      .then((result) => {
        said.textContent = result.ok ? 'The console ends.' : refusalText(result.failure);
      })
      .catch(() => {
        said.textContent = 'The console does not answer. Turn the computer off and on.';
      });
    field.focus();
  });
}

// SPDX-License-Identifier: Apache-2.0
/** Tests of the doctor's judgements. */
@NullMarked
package io.fiber.cli.doctor;

import org.jspecify.annotations.NullMarked;

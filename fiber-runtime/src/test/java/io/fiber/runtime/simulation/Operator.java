// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A way to make a mistake in one instruction. The stack stays as high, so the frames of the class stay valid. */
enum Operator implements Opcodes {
    /** A condition's jump is always made. */
    JUMP {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return operands(instruction) > 0;
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            decide(code, (JumpInsnNode) instruction, ICONST_0);
        }
    },

    /** A condition's jump is never made. */
    STAY {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return operands(instruction) > 0;
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            decide(code, (JumpInsnNode) instruction, ICONST_1);
        }
    },

    /** {@code <} becomes {@code <=}, and so on. */
    BOUNDARY {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return WITH_EQUAL.containsKey(instruction.getOpcode());
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            ((JumpInsnNode) instruction).setOpcode(requireNonNull(WITH_EQUAL.get(instruction.getOpcode())));
        }
    },

    /** {@code +} becomes {@code -}, {@code *} becomes {@code /}, and the other way round. */
    ARITHMETIC {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return INVERSE.containsKey(instruction.getOpcode()) || instruction instanceof IincInsnNode;
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            if (instruction instanceof IincInsnNode increment) {
                increment.incr = -increment.incr;
            } else {
                code.set(instruction, new InsnNode(requireNonNull(INVERSE.get(instruction.getOpcode()))));
            }
        }
    },

    /** A call whose result nobody uses is left out, or a value is not stored. */
    LEAVE_OUT {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return instruction instanceof MethodInsnNode call
                    ? !call.name.equals("<init>") && !isLogged(call) && (isVoid(call) || isIgnored(call))
                    : instruction.getOpcode() == PUTFIELD;
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            if (instruction instanceof MethodInsnNode call) {
                Type[] arguments = Type.getArgumentTypes(call.desc);
                for (int i = arguments.length - 1; i >= 0; i--) {
                    code.insertBefore(call, pop(arguments[i]));
                }
                if (call.getOpcode() != INVOKESTATIC) {
                    code.insertBefore(call, new InsnNode(POP));
                }
                if (!isVoid(call)) {
                    code.remove(call.getNext());
                }
            } else {
                code.insertBefore(instruction, pop(Type.getType(((FieldInsnNode) instruction).desc)));
                code.insertBefore(instruction, new InsnNode(POP));
            }
            code.remove(instruction);
        }
    },

    /** A number that is read or returned by a call is zero. */
    ZERO {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return isNumber(typeOf(instruction)) && !isIgnored(instruction);
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            boolean isLong = typeOf(instruction).getSort() == Type.LONG;
            code.insert(instruction, new InsnNode(isLong ? LCONST_0 : ICONST_0));
            code.insert(instruction, pop(typeOf(instruction)));
        }
    },

    /** A number that is read or returned by a call is one more. */
    MORE {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return ZERO.fits(instruction);
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            boolean isLong = typeOf(instruction).getSort() == Type.LONG;
            code.insert(instruction, new InsnNode(isLong ? LADD : IADD));
            code.insert(instruction, new InsnNode(isLong ? LCONST_1 : ICONST_1));
        }

        @Override
        boolean isGenerated() {
            return false;
        }
    },

    /** A constant, or a number that is read or returned by a call, is a hundred times as large. */
    LARGER {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return isLongConstant(instruction) || ZERO.fits(instruction);
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            boolean isLong = isLongConstant(instruction) || typeOf(instruction).getSort() == Type.LONG;
            code.insert(instruction, new InsnNode(isLong ? LMUL : IMUL));
            code.insert(instruction, isLong ? new LdcInsnNode(100L) : new LdcInsnNode(100));
        }

        @Override
        boolean isGenerated() {
            return false;
        }
    },

    /** An iterator returns its last element instead of its next one. */
    LAST {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return instruction instanceof MethodInsnNode call
                    && call.owner.equals("java/util/Iterator")
                    && call.name.equals("next");
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            String owner = Type.getInternalName(Seeds.class);
            code.set(
                    instruction,
                    new MethodInsnNode(INVOKESTATIC, owner, "last", "(Ljava/util/Iterator;)Ljava/lang/Object;"));
        }

        @Override
        boolean isGenerated() {
            return false;
        }
    },

    /** Another method of the same class and form is called. */
    INSTEAD {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return instruction instanceof MethodInsnNode;
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            ((MethodInsnNode) instruction).name = with;
        }

        @Override
        boolean isGenerated() {
            return false;
        }
    },

    /** A method is called twice. */
    TWICE {
        @Override
        boolean fits(AbstractInsnNode instruction) {
            return instruction.getOpcode() == INVOKEVIRTUAL && isVoid((MethodInsnNode) instruction);
        }

        @Override
        void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with) {
            MethodInsnNode call = (MethodInsnNode) instruction;
            String desc = call.desc.replace("(", "(L" + call.owner + ";");
            MethodNode twice = new MethodNode(ACC_STATIC | ACC_PRIVATE | ACC_SYNTHETIC, "twice", desc, null, null);
            for (int times = 0; times < 2; times++) {
                int at = 0;
                for (Type argument : Type.getArgumentTypes(desc)) {
                    twice.instructions.add(new VarInsnNode(argument.getOpcode(ILOAD), at));
                    at += argument.getSize();
                }
                twice.instructions.add(new MethodInsnNode(INVOKEVIRTUAL, call.owner, call.name, call.desc));
            }
            twice.instructions.add(new InsnNode(RETURN));
            type.methods.add(twice);
            code.set(call, new MethodInsnNode(INVOKESTATIC, type.name, "twice", desc));
        }

        @Override
        boolean isGenerated() {
            return false;
        }
    };

    private static final Map<Integer, Integer> WITH_EQUAL = Map.ofEntries(
            entry(IFLT, IFLE),
            entry(IFLE, IFLT),
            entry(IFGT, IFGE),
            entry(IFGE, IFGT),
            entry(IF_ICMPLT, IF_ICMPLE),
            entry(IF_ICMPLE, IF_ICMPLT),
            entry(IF_ICMPGT, IF_ICMPGE),
            entry(IF_ICMPGE, IF_ICMPGT));
    private static final Map<Integer, Integer> INVERSE = Map.ofEntries(
            entry(IADD, ISUB),
            entry(ISUB, IADD),
            entry(LADD, LSUB),
            entry(LSUB, LADD),
            entry(DADD, DSUB),
            entry(DSUB, DADD),
            entry(IMUL, IDIV),
            entry(IDIV, IMUL),
            entry(LMUL, LDIV),
            entry(LDIV, LMUL),
            entry(DMUL, DDIV),
            entry(DDIV, DMUL));

    abstract boolean fits(AbstractInsnNode instruction);

    /** Makes the mistake. */
    abstract void plant(ClassNode type, InsnList code, AbstractInsnNode instruction, String with);

    /** Tells whether it is tried wherever it fits, not only where a mutant in words names the place. */
    boolean isGenerated() {
        return true;
    }

    /** Returns how many operands a conditional jump has; 0 if it is something else. */
    private static int operands(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        if ((opcode >= IFEQ && opcode <= IFLE) || opcode == IFNULL || opcode == IFNONNULL) {
            return 1;
        }
        return opcode >= IF_ICMPEQ && opcode <= IF_ACMPNE ? 2 : 0;
    }

    /** The jump stays a conditional one, so that what follows can still be reached, as the verifier wants. */
    private static void decide(InsnList code, JumpInsnNode jump, int operand) {
        code.insertBefore(jump, new InsnNode(operands(jump) == 1 ? POP : POP2));
        code.insertBefore(jump, new InsnNode(operand));
        jump.setOpcode(IFEQ);
    }

    private static boolean isVoid(MethodInsnNode call) {
        return call.desc.endsWith(")V");
    }

    private static boolean isIgnored(AbstractInsnNode call) {
        AbstractInsnNode next = call.getNext();
        return next != null && (next.getOpcode() == POP || next.getOpcode() == POP2);
    }

    private static boolean isLogged(MethodInsnNode call) {
        return call.owner.startsWith("java/lang/System$Logger")
                || call.owner.startsWith("io/fiber/runtime/telemetry/")
                || call.name.startsWith("requireNonNull");
    }

    private static boolean isLongConstant(AbstractInsnNode instruction) {
        return instruction instanceof LdcInsnNode constant && constant.cst instanceof Long;
    }

    private static Type typeOf(AbstractInsnNode instruction) {
        if (instruction instanceof MethodInsnNode call) {
            return Type.getReturnType(call.desc);
        }
        return instruction.getOpcode() == GETFIELD ? Type.getType(((FieldInsnNode) instruction).desc) : Type.VOID_TYPE;
    }

    private static boolean isNumber(Type type) {
        return type.getSort() == Type.INT || type.getSort() == Type.LONG;
    }

    private static InsnNode pop(Type type) {
        return new InsnNode(type.getSize() == 2 ? POP2 : POP);
    }
}
